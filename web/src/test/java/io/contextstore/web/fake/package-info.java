/**
 * An engine in memory, so that the HTTP layer can be tested on a real server without the real
 * engine. It obeys the contract's Javadoc for everything that can be seen through HTTP, and fails
 * on demand for stores with certain names.
 */
@NullMarked
package io.contextstore.web.fake;

import org.jspecify.annotations.NullMarked;
