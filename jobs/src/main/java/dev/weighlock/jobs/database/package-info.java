/** The databases that jobs name, opened as the settings say. */
@NullMarked
package dev.weighlock.jobs.database;

import org.jspecify.annotations.NullMarked;
