/**
 * What the job repositories in a database share: rows as values, statements, and the stores whose SQL is the same on
 * SQLite and PostgreSQL. Public for the packages beside it; not for users.
 */
@NullMarked
package dev.weighlock.batch.jdbc.store;

import org.jspecify.annotations.NullMarked;
