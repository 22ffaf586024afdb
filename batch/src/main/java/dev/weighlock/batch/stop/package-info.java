/** How running work learns that it should stop. */
@NullMarked
package dev.weighlock.batch.stop;

import org.jspecify.annotations.NullMarked;
