/**
 * Hostile text in, a filter that is safe to hand to Lance out. A filter that is passed on as it
 * came can kill the process (deep nesting overflows the native stack, list literals of mixed types
 * abort in native code) or keep a thread busy for hours, so no character of a user's filter ever
 * gets through: it is taken apart, checked, and written anew.
 *
 * <p>The order of the calls: {@link io.contextstore.filter.FilterCompiler} takes text and schema.
 * {@code Lexer} cuts the text into tokens in one linear pass and enforces {@link
 * io.contextstore.filter.FilterLimits} on the way, before anything recursive sees it. {@code
 * Grammar} gives the bare skeleton of the tokens to the parser library; names and literals stay
 * behind as numbered placeholders. {@code Resolver} turns what the parser understood into our own
 * typed tree ({@code Expr}), knowing only what it allows. {@code Renderer} writes the tree as the
 * {@link io.contextstore.filter.RenderedFilter}. {@link io.contextstore.filter.KeyFilters} makes
 * rendered filters from row keys, for look-ups by the engine itself.
 *
 * <p>Everything here is free of I/O and of threads; whoever hands a rendered filter to Lance does
 * so on a thread with a stack of 16 MiB or more.
 */
@NullMarked
package io.contextstore.filter;

import org.jspecify.annotations.NullMarked;
