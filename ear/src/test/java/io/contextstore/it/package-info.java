/**
 * End-to-end tests of what is shipped. A test of the HTTP interface is a class named {@code …IT}
 * with {@code @ExtendWith(ServerUnderTest.class)}; one that stops or kills its server starts a
 * {@link io.contextstore.it.RunnableJar} of its own.
 */
@NullMarked
package io.contextstore.it;

import org.jspecify.annotations.NullMarked;
