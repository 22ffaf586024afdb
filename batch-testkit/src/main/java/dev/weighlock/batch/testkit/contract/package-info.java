/** What every job repository must do, as tests that a repository's own tests inherit. */
@NullMarked
package dev.weighlock.batch.testkit.contract;

import org.jspecify.annotations.NullMarked;
