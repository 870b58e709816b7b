/**
 * The business boundary: {@link io.contextstore.service.GenericStoreService} answers the calls of
 * the HTTP layer, {@link io.contextstore.service.Engine} holds together what one process has of
 * everything, and {@link io.contextstore.service.EngineLifecycle} starts and stops it with the
 * application.
 */
@NullMarked
package io.contextstore.service;

import org.jspecify.annotations.NullMarked;
