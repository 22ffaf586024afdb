package dev.weighlock.duckdb;

import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.backend.BackendSettings;
import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QuerySummary;
import dev.weighlock.query.device.DeviceKind;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.testkit.load.HeavyQueries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * The watched process of {@link MemoryTest}: runs one kind of work under a budget of one GiB and prints a line a query:
 * outcome, grant, peak, rows.
 */
final class MemoryWorkload {
    private static final long MIB = 1L << 20;
    static final long BUDGET = 1024 * MIB;

    private MemoryWorkload() {}

    /** Folder, kind of work, and how much of it. */
    public static void main(String[] args) throws Exception {
        var device = DeviceProfile.device(0, DeviceKind.HOST)
                .limit(BUDGET, "test")
                .maxActive(16)
                .resolve();
        var settings = BackendSettings.of(device)
                .withAdmission(AdmissionConfig.DEFAULT)
                .withTempLimit(2048 * MIB);
        try (var engine = DuckDbEngine.open(
                        new DuckDbSettings(Path.of(args[0]), 2, 64 * MIB).within(device.reserveBytes()));
                var backend = QueryBackend.open(settings, engine)) {
            var amount = Long.parseLong(args[2]);
            switch (args[1]) {
                case "heavy" -> heavy(backend, (int) amount);
                case "slow" -> slowReader(backend, amount);
                case "wide" -> wide(backend, amount);
                default -> throw new IllegalArgumentException(args[1]);
            }
        }
    }

    /** All at once; as many run as the ledger has room for. Each has its reader: unread rows would keep their grant. */
    private static void heavy(QueryBackend backend, int queries) throws Exception {
        try (var readers = Executors.newVirtualThreadPerTaskExecutor()) {
            var summaries = new ArrayList<Future<QuerySummary>>();
            for (var i = 0; i < queries; i++) {
                var handle = backend.submit(
                        QueryRequest.select(HeavyQueries.spilling(i), Map.of()).cap(HeavyQueries.CAP_BYTES));
                summaries.add(readers.submit(() -> {
                    handle.rows().toList();
                    return handle.await();
                }));
            }
            for (var summary : summaries) {
                print(summary.get());
            }
        }
    }

    /** Thirty million rows, of which the first {@code wanted} are read with pauses and no more. */
    private static void slowReader(QueryBackend backend, long wanted) throws InterruptedException {
        var handle = backend.submit(QueryRequest.select(
                        "SELECT i, 'some text that is not short ' || i AS s FROM range(30000000) t(i)", Map.of())
                .cap(256 * MIB));
        var count = 0L;
        try (var rows = handle.rows()) {
            while (count < wanted && rows.next().isPresent()) {
                count++;
                if (count % 100_000 == 0) {
                    LockSupport.parkNanos(10_000_000);
                }
            }
        }
        print(handle.await());
    }

    private static void wide(QueryBackend backend, long wanted) throws InterruptedException {
        var handle = backend.submit(
                QueryRequest.select("SELECT repeat('x', 50000) || i FROM range(" + wanted + ") t(i)", Map.of())
                        .cap(256 * MIB));
        try (var rows = handle.rows()) {
            while (rows.next().isPresent()) {
                Thread.onSpinWait();
            }
        }
        print(handle.await());
    }

    @SuppressWarnings("SystemOut")
    private static void print(QuerySummary summary) {
        System.out.printf(
                Locale.ROOT,
                "%s %d %d %d %s%n",
                summary.outcome(),
                summary.grantBytes(),
                summary.peakBytes(),
                summary.resultRows(),
                summary.error() == null ? "" : summary.error().getMessage());
    }
}
