package dev.weighlock.bench;

import dev.weighlock.query.QueryException;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.testkit.load.HeavyQueries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.duckdb.DuckDBConnection;

/**
 * A watched process of {@link MixedLoad}. Prints a line a query, outcome, name, grant and peak, and in the end how long all
 * took.
 */
final class MixedLoadProcess {
    static final long BUDGET = 1024 * OpenRuntime.MIB;
    private static final int QUERIES = 64;
    private static final int MAX_ACTIVE = 16;
    private static final int THREADS = Runtime.getRuntime().availableProcessors();

    private MixedLoadProcess() {}

    /** Which side, and a folder for spilling. */
    public static void main(String[] args) throws Exception {
        var queries = HeavyQueries.mixed(QUERIES);
        var spill = Files.createDirectories(Path.of(args[1]));
        switch (args[0]) {
            case "runtime" -> runtime(queries, spill);
            case "serial" -> serial(queries, spill);
            case "shared" -> shared(queries, spill);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void runtime(List<String> queries, Path spill) throws Exception {
        try (var runtime = OpenRuntime.open(spill, new OpenRuntime.Limits(BUDGET, MAX_ACTIVE, THREADS, 8))) {
            List<Callable<String>> work = new ArrayList<>();
            for (int i = 0; i < queries.size(); i++) {
                var request = QueryRequest.select(queries.get(i), Map.of())
                        .cap(HeavyQueries.CAP_BYTES)
                        .label(name(i));
                work.add(() -> {
                    var handle = runtime.backend.submit(request);
                    try {
                        handle.rows().toList();
                    } catch (QueryException told) {
                        // The summary says it too.
                    }
                    var summary = handle.await();
                    return summary.outcome() + " " + summary.label() + " " + summary.grantBytes() + " "
                            + summary.peakBytes() + " " + (summary.error() == null ? "" : summary.error());
                });
            }
            atOnce(work);
        }
    }

    private static String name(int i) {
        return (i % 2 == 0 ? "spills-" : "cannot-") + i / 2;
    }

    private static void serial(List<String> queries, Path spill) throws Exception {
        long engineBytes = PlainDuckDb.engineBytes(HeavyQueries.CAP_BYTES);
        long start = System.nanoTime();
        for (int i = 0; i < queries.size(); i++) {
            try (var connection = PlainDuckDb.open(
                    engineBytes, THREADS, spill.resolve("serial-" + i).toString())) {
                System.out.println(plain(connection, queries.get(i), i));
            }
        }
        total(start);
    }

    private static void shared(List<String> queries, Path spill) throws Exception {
        try (var instance = PlainDuckDb.open(BUDGET, THREADS, spill.toString())) {
            List<Callable<String>> work = new ArrayList<>();
            for (int i = 0; i < queries.size(); i++) {
                int number = i;
                work.add(() -> {
                    try (var connection = instance.duplicate()) {
                        return plain(connection, queries.get(number), number);
                    }
                });
            }
            atOnce(work);
        }
    }

    private static String plain(DuckDBConnection connection, String sql, int i) {
        try {
            PlainDuckDb.rows(connection, sql);
            return "SUCCEEDED " + name(i) + " null null";
        } catch (SQLException e) {
            return "FAILED " + name(i) + " null null "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        }
    }

    private static void atOnce(List<Callable<String>> work) throws Exception {
        try (var threads = Executors.newFixedThreadPool(work.size())) {
            long start = System.nanoTime();
            for (Future<String> line : threads.invokeAll(work)) {
                System.out.println(line.get());
            }
            total(start);
        }
    }

    private static void total(long start) {
        System.out.println("TOTAL " + (System.nanoTime() - start));
    }
}
