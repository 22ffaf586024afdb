/** Steps that read, process and write items chunk by chunk. */
@NullMarked
package dev.weighlock.batch.chunk;

import org.jspecify.annotations.NullMarked;
