package dev.weighlock.query.engine;

import java.nio.file.Path;

/**
 * A whole file, written under a temporary name and not yet forced to disk.
 *
 * @param file the temporary name that the caller gave
 * @param rows as the engine counted them
 * @param bytes the file's length
 */
public record FileResult(Path file, long rows, long bytes) {}
