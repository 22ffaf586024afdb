/** The reference job repository: a PostgreSQL database that nodes on many hosts share. */
@NullMarked
package dev.weighlock.batch.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
