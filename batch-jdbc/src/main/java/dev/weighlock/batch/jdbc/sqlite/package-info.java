/** The embedded job repository: one SQLite file that several processes of one host share. */
@NullMarked
package dev.weighlock.batch.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
