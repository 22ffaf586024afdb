package dev.weighlock.bench;

import dev.weighlock.duckdb.DuckDbEngine;
import dev.weighlock.duckdb.DuckDbSettings;
import dev.weighlock.query.backend.BackendSettings;
import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QuerySummary;
import dev.weighlock.query.device.DeviceKind;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.engine.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** The query runtime on DuckDB under a budget of its own. */
final class OpenRuntime implements AutoCloseable {
    static final long MIB = 1L << 20;

    private final DuckDbEngine duckdb;
    final QueryBackend backend;

    private OpenRuntime(DuckDbEngine duckdb, QueryBackend backend) {
        this.duckdb = duckdb;
        this.backend = backend;
    }

    static OpenRuntime open(Path folder, Limits limits) {
        return open(folder, limits, engine -> engine);
    }

    /** @param around what the runtime sees of the engine */
    static OpenRuntime open(Path folder, Limits limits, UnaryOperator<QueryEngine> around) {
        var device = DeviceProfile.device(0, DeviceKind.HOST)
                .limit(limits.budgetBytes(), "bench")
                .maxActive(limits.maxActive())
                .resolve();
        var settings = new DuckDbSettings(
                folder.toAbsolutePath().resolve("spill"), limits.threads(), 64 * MIB, limits.warmInstances());
        var engine = DuckDbEngine.open(settings.within(device.reserveBytes()));
        return new OpenRuntime(engine, QueryBackend.open(BackendSettings.of(device), around.apply(engine)));
    }

    /** @param warmInstances how many instances wait for the next query of their class */
    record Limits(long budgetBytes, int maxActive, int threads, int warmInstances) {}

    /** Runs one query to its sealed report. */
    List<Row> rows(QueryRequest request) throws InterruptedException {
        var handle = backend.submit(request);
        var rows = handle.rows().toList();
        succeeded(handle.await());
        return rows;
    }

    static QuerySummary succeeded(QuerySummary summary) {
        if (!summary.succeeded()) {
            throw new IllegalStateException("a query did not succeed", summary.error());
        }
        return summary;
    }

    @Override
    public void close() {
        backend.close();
        duckdb.close();
    }
}
