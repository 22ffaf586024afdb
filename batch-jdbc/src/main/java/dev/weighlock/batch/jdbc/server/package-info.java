/** PostgreSQL servers: how to reach one, and the server processes behind connections. For the packages beside it. */
@NullMarked
package dev.weighlock.batch.jdbc.server;

import org.jspecify.annotations.NullMarked;
