/**
 * MicroProfile Health: live as soon as the application runs, started when the catalog has been
 * read, ready while requests are taken. The engine tells by {@link
 * io.contextstore.api.ServerStatus}; nothing is looked up when a probe comes.
 */
@NullMarked
package io.contextstore.web.health;

import org.jspecify.annotations.NullMarked;
