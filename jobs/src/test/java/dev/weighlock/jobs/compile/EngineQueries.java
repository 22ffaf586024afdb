package dev.weighlock.jobs.compile;

import dev.weighlock.duckdb.DuckDbEngine;
import dev.weighlock.duckdb.DuckDbSettings;
import dev.weighlock.jobs.query.Queries;
import dev.weighlock.query.backend.BackendSettings;
import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryRows;
import dev.weighlock.query.backend.QueryState;
import dev.weighlock.query.device.DeviceKind;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.engine.EngineStatement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A small backend on DuckDB that remembers what was asked of it. Thread-safe. */
final class EngineQueries implements Queries, AutoCloseable {
    private static final long MIB = 1L << 20;

    final List<QueryRequest> requests = new CopyOnWriteArrayList<>();
    private final List<QueryHandle> handles = new CopyOnWriteArrayList<>();
    private final DuckDbEngine engine;
    private final QueryBackend backend;

    EngineQueries(Path spillRoot) {
        engine = DuckDbEngine.open(DuckDbSettings.of(spillRoot));
        backend = QueryBackend.open(
                BackendSettings.of(DeviceProfile.device(0, DeviceKind.HOST)
                        .limit((256 + 32) * MIB, "test")
                        .cacheCap(32 * MIB)
                        .headroom(0)
                        .reserve(0)
                        .defaultQueryLimit(64 * MIB)
                        .maxActive(4)
                        .resolve()),
                engine);
    }

    @Override
    public QueryHandle submit(QueryRequest request) {
        requests.add(request);
        QueryHandle handle = backend.submit(request);
        handles.add(handle);
        return handle;
    }

    List<String> texts() {
        return requests.stream()
                .flatMap(request -> request.work().sql().stream())
                .map(EngineStatement::sql)
                .toList();
    }

    boolean isRunning() {
        return handles.stream().anyMatch(handle -> handle.state() instanceof QueryState.Running);
    }

    /** The columns with their types, then every row of a file as the engine reads it. */
    List<String> read(Path folder, String file) {
        List<String> lines = new ArrayList<>();
        QueryHandle handle = backend.submit(QueryRequest.select("SELECT * FROM '" + file + "'", Map.of())
                .reading(List.of(folder))
                .relativeTo(folder));
        try (QueryRows rows = handle.rows()) {
            lines.add(rows.columns().toString());
            rows.toList().forEach(row -> lines.add(row.values().toString()));
        }
        return lines;
    }

    @Override
    public void close() {
        try (engine) {
            backend.close();
        }
    }
}
