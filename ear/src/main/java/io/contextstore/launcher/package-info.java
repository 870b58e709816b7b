/** The runnable jar's start: options, a temporary folder of its own, one line when it is ready. */
@NullMarked
package io.contextstore.launcher;

import org.jspecify.annotations.NullMarked;
