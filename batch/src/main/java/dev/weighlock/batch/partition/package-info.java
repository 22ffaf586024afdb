/** Steps whose work is cut into partitions. */
@NullMarked
package dev.weighlock.batch.partition;

import org.jspecify.annotations.NullMarked;
