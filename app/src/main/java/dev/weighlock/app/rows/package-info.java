/** Rows of a query as text, streamed. */
@NullMarked
package dev.weighlock.app.rows;

import org.jspecify.annotations.NullMarked;
