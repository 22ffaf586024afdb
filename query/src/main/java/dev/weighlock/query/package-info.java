/** The query runtime: attempts under memory grants, each ending in one sealed report. */
@NullMarked
package dev.weighlock.query;

import org.jspecify.annotations.NullMarked;
