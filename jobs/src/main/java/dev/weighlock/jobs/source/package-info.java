/** Source steps: a database's rows as a file. */
@NullMarked
package dev.weighlock.jobs.source;

import org.jspecify.annotations.NullMarked;
