package dev.weighlock.jobs.file;

import dev.weighlock.jobs.yaml.Position;
import dev.weighlock.query.engine.DataSet;

/**
 * An entry under {@code cache}.
 *
 * @param at of its path
 */
public record CacheKey(DataSet set, Position at) {}
