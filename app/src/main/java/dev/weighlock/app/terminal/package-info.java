/** What a person sees: text, tables, progress, signals. */
@NullMarked
package dev.weighlock.app.terminal;

import org.jspecify.annotations.NullMarked;
