package dev.weighlock.jobs.file;

import java.util.List;

/** A table to write to. */
public record TableKeys(String connection, String table, Mode mode, List<String> key) {
    /** How rows meet rows that are there. */
    public enum Mode {
        INSERT,
        UPSERT,
        COPY
    }

    public TableKeys {
        key = List.copyOf(key);
    }
}
