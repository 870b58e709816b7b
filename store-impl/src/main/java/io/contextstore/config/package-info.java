/**
 * The settings of the server, read once at start from MicroProfile Config and checked as a whole: a
 * value that cannot work stops the start with one line that names it.
 */
@NullMarked
package io.contextstore.config;

import org.jspecify.annotations.NullMarked;
