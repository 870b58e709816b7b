/** Filters of users: parsed, bounded, resolved against the schema and rendered anew. */
@NullMarked
package io.contextstore.filter;

import org.jspecify.annotations.NullMarked;
