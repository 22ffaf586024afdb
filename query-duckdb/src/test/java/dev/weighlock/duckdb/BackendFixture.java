package dev.weighlock.duckdb;

import static dev.weighlock.duckdb.EngineFixture.MIB;

import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.backend.BackendSettings;
import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.device.DeviceKind;
import dev.weighlock.query.device.DeviceProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A backend on a DuckDB engine, with as many bytes and places as a test needs. */
final class BackendFixture implements AutoCloseable {
    final EngineFixture files;
    final QueryBackend backend;

    BackendFixture(Path folder, long queryMib, int maxActive) throws IOException {
        this(folder, queryMib, maxActive, AdmissionConfig.DEFAULT);
    }

    BackendFixture(Path folder, long queryMib, int maxActive, AdmissionConfig admission) throws IOException {
        files = new EngineFixture(folder);
        var device = DeviceProfile.device(0, DeviceKind.HOST)
                .limit(queryMib * MIB, "test")
                .headroom(0)
                .reserve(0)
                .defaultQueryLimit(64 * MIB)
                .maxActive(maxActive)
                .resolve();
        backend = QueryBackend.open(
                BackendSettings.of(device).withAdmission(admission).withTempLimit(512 * MIB), files.engine);
    }

    QueryRequest select(String sql) {
        return QueryRequest.select(sql, Map.of())
                .reading(List.of(files.in))
                .writing(List.of(files.out))
                .relativeTo(files.in);
    }

    @Override
    public void close() {
        backend.close();
        files.close();
    }
}
