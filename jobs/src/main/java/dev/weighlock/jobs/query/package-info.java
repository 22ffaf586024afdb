/** Query steps: one statement under a grant, to a file or to the record. */
@NullMarked
package dev.weighlock.jobs.query;

import org.jspecify.annotations.NullMarked;
