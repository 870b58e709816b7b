package io.contextstore.api;

import java.io.InputStream;
import java.util.List;

/**
 * The stores of kind {@code generic}: create, append, read, drop.
 *
 * <p>All methods are safe for use by many threads. They throw only the exceptions of {@code
 * io.contextstore.api.error}. No method waits for maintenance, except {@link #flush} and {@link
 * #mergeWal}, which ask for it.
 */
public interface GenericStores {
  /** Creates a store; {@code AlreadyExistsException} when the name is taken. */
  StoreDescription create(NewStore store);

  /** All stores, ordered by name. */
  List<StoreSummary> list();

  /** One store; {@code NotFoundException} when there is none. */
  StoreDescription describe(StoreName name);

  /** Removes the store; its files go when nothing uses them any more. */
  void drop(StoreName name);

  /**
   * Appends the rows of a JSON body {@code {"rows":[{column: value}]}}, all or none. When it
   * returns, the rows are durable and every later read sees them. A row whose id exists replaces
   * it; of several rows with one id the last wins.
   *
   * <p>Implementers read {@code json} to its end before they write anything, do not close it, and
   * let an exception of {@code io.contextstore.api.error} that its methods throw pass unchanged: so
   * the caller's stream refuses a body that is too large, breaks off or stalls.
   */
  Appended append(StoreName name, InputStream json);

  /** One row, without envelope; {@code NotFoundException} when the key is not there. */
  RowStream get(StoreName name, RowKey key, List<String> columns);

  /** The rows of {@code keys} in first-requested order, each once; missing keys are left out. */
  RowStream getMany(StoreName name, List<RowKey> keys, List<String> columns);

  /** The rows that match; in the order of their ids when paged, else in no promised order. */
  RowStream rows(StoreName name, ListQuery query);

  /** Seals the memtable. Returns when it is sealed, or was empty. */
  void flush(StoreName name);

  /**
   * Seals, then merges every pending generation into the base table.
   *
   * @return how many generations were merged
   */
  int mergeWal(StoreName name);
}
