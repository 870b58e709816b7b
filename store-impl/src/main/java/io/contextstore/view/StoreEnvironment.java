package io.contextstore.view;

import io.contextstore.generation.MemoryBudget;
import io.contextstore.table.BaseTables;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What all stores of a process share. None of it is owned by a store.
 *
 * @param tables the base tables
 * @param ownership takes base tables for this process
 * @param folder the data folder, held by this process
 * @param allocator for the rows of memtables and sealed generations
 * @param budget bound of those rows
 * @param writerThreads runs log writers, one run a busy store; refuses when all are taken
 * @param timer watches the deadlines of log writers; gets only short tasks
 * @param disposerThreads frees views and drops log segments
 * @param requestDeadline how long an append waits for its sync
 * @param events learns what may make maintenance due
 */
public record StoreEnvironment(
    BaseTables tables,
    Ownership ownership,
    DataFolder folder,
    BufferAllocator allocator,
    MemoryBudget budget,
    Executor writerThreads,
    ScheduledExecutorService timer,
    Executor disposerThreads,
    Duration requestDeadline,
    StoreEvents events) {}
