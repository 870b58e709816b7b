package io.contextstore.service;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The threads that an engine works on; it does not own them.
 *
 * @param writers log writers: platform threads, one a busy store; refuses when all are taken
 * @param maintenance merges; bounded
 * @param disposer frees views and removes files
 * @param timer ticks and deadlines; gets only short tasks
 */
public record EngineThreads(
    ExecutorService writers,
    ExecutorService maintenance,
    ExecutorService disposer,
    ScheduledExecutorService timer) {}
