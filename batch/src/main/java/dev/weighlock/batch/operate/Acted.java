package dev.weighlock.batch.operate;

/**
 * What became of an operator's act.
 *
 * @param value the thing as it is now
 * @param changed false where it was so before, by an earlier act or a repeated one
 */
public record Acted<T>(T value, boolean changed) {}
