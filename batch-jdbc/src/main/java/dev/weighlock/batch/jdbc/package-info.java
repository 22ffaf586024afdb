/** Job repositories and chunk targets over JDBC. */
@NullMarked
package dev.weighlock.batch.jdbc;

import org.jspecify.annotations.NullMarked;
