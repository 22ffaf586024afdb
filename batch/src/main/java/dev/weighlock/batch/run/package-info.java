/** An execution while this process runs it: the engine, and what it tells of itself. */
@NullMarked
package dev.weighlock.batch.run;

import org.jspecify.annotations.NullMarked;
