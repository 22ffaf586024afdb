/** What a running job tells of itself, as rows of progress. */
@NullMarked
package dev.weighlock.app.progress;

import org.jspecify.annotations.NullMarked;
