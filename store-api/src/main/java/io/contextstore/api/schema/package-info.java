/** What a store's rows look like: an ordered list of named, typed columns, and its JSON form. */
@NullMarked
package io.contextstore.api.schema;

import org.jspecify.annotations.NullMarked;
