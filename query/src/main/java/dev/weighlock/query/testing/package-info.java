/** Fixtures for tests of the query runtime and of code that embeds it. */
@NullMarked
package dev.weighlock.query.testing;

import org.jspecify.annotations.NullMarked;
