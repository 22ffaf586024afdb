/** What references stand for while a step runs. */
@NullMarked
package dev.weighlock.jobs.value;

import org.jspecify.annotations.NullMarked;
