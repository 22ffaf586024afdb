package dev.weighlock.app.wiring;

import dev.weighlock.query.backend.QueryBackend;

/** Opens the query backend that settings and machine allow. */
public final class Backends {
    private Backends() {}

    @SuppressWarnings("DoNotCallSuggester")
    public static QueryBackend open(Workspace workspace) {
        throw new UnsupportedOperationException("no backend yet: " + workspace.folder());
    }
}
