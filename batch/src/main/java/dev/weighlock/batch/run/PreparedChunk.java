package dev.weighlock.batch.run;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A chunk that is read and processed, and not yet written.
 *
 * @param items to write
 * @param readerPosition the reader's own entries of the context, after the chunk's last item
 * @param last whether the reader is at its end
 */
record PreparedChunk<O>(List<O> items, ChunkTally tally, Map<String, @Nullable Object> readerPosition, boolean last) {}
