package dev.weighlock.duckdb;

import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.engine.SessionRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An engine with a folder to read, one to write and one outside both. */
final class EngineFixture implements AutoCloseable {
    static final long MIB = 1L << 20;

    final Path folder;
    final Path in;
    final Path out;
    final Path tempRoot;
    final DuckDbEngine engine;
    private int sessions;

    EngineFixture(Path folder) throws IOException {
        this.folder = folder.toRealPath();
        this.in = Files.createDirectories(this.folder.resolve("in"));
        this.out = Files.createDirectories(this.folder.resolve("out"));
        this.tempRoot = this.folder.resolve("spill");
        this.engine = DuckDbEngine.open(new DuckDbSettings(tempRoot, 2, 64 * MIB));
    }

    PlannedStatement plan(String sql) {
        return plan(sql, Map.of());
    }

    PlannedStatement plan(String sql, Map<String, @Nullable Object> values) {
        return engine.plan(new PlanRequest(sql, in, Duration.ofSeconds(60))).bind(values);
    }

    EngineSession open(long grantBytes) {
        return open(grantBytes, ZoneOffset.UTC, 256 * MIB);
    }

    EngineSession open(long grantBytes, ZoneId zone, long tempLimitBytes) {
        return engine.open(request(grantBytes, zone, tempLimitBytes));
    }

    SessionRequest request(long grantBytes) {
        return request(grantBytes, ZoneOffset.UTC, 256 * MIB);
    }

    private SessionRequest request(long grantBytes, ZoneId zone, long tempLimitBytes) {
        return new SessionRequest("attempt-" + ++sessions, grantBytes, List.of(in), List.of(out), zone, tempLimitBytes);
    }

    /** All rows of a query in a session of its own. */
    List<Row> rows(String sql) {
        return rows(sql, Map.of(), ZoneOffset.UTC);
    }

    List<Row> rows(String sql, Map<String, @Nullable Object> values, ZoneId zone) {
        var session = open(64 * MIB, zone, 256 * MIB);
        try {
            return rows(session, plan(sql, values));
        } finally {
            session.release();
        }
    }

    static List<Row> rows(EngineSession session, PlannedStatement statement) {
        var rows = new ArrayList<Row>();
        try (var stream = session.execute(statement)) {
            for (var batch = stream.fetch(); batch.isPresent(); batch = stream.fetch()) {
                rows.addAll(batch.get().rows());
            }
        }
        return rows;
    }

    @Override
    public void close() {
        engine.close();
    }
}
