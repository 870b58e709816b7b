package io.contextstore.service;

import io.contextstore.api.error.InternalException;
import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.OverloadedException;
import io.contextstore.api.error.StoreException;
import io.contextstore.log.LogException;
import io.contextstore.table.TableFilterException;
import io.contextstore.table.TableTimeoutException;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.arrow.memory.OutOfMemoryException;

/** Turns what the layers below throw into what the contract knows. */
final class Failures {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private Failures() {}

  /** Runs {@code call} and lets only {@link StoreException}s and errors out. */
  static <T> T translated(Supplier<T> call) {
    try {
      return call.get();
    } catch (StoreException e) {
      throw e;
    } catch (TableFilterException e) {
      throw new InvalidRequestException(
          e.getMessage() == null ? "the filter does not fit the store" : e.getMessage(), e);
    } catch (OutOfMemoryException e) {
      throw OverloadedException.nothingWritten("the memory for rows is used up", RETRY);
    } catch (TableTimeoutException e) {
      throw OverloadedException.notFinished("the storage did not answer in time", RETRY, e);
    } catch (LogException e) {
      throw new InternalException("the store's log cannot be read", e);
    } catch (RuntimeException e) {
      throw new InternalException("the server failed", e);
    }
  }
}
