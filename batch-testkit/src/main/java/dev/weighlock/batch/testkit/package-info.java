/** Test support for jobs and repositories. */
@NullMarked
package dev.weighlock.batch.testkit;

import org.jspecify.annotations.NullMarked;
