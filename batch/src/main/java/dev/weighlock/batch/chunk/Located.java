package dev.weighlock.batch.chunk;

/** An item that knows where it came from; the log of skipped items names it. */
public interface Located {
    /** Such as {@code FILE:LINE}; nothing of the item's own content. */
    String place();
}
