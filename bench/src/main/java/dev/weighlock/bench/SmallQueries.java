package dev.weighlock.bench;

import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.engine.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.duckdb.DuckDBConnection;

/**
 * Q3: {@code SELECT 42} through the runtime, from submission to the sealed report, beside the driver alone: on an open
 * connection, where the runtime reuses an instance, and with a new instance for each query on both sides.
 */
public final class SmallQueries {
    private static final String SQL = "SELECT 42";
    private static final long GRANT = 64 * OpenRuntime.MIB;
    private static final int THREADS = Runtime.getRuntime().availableProcessors();
    private static final int CLOSED_LOOP = 1_000;
    private static final int OPEN_LOOP = 50;
    private static final int NEW_INSTANCES = 40;
    private static final int CLIENTS = 4;
    private static final int WARM_UP = 5_000;
    private static final long OPEN_LOOP_NANOS = 100_000_000;

    private final Path folder;
    private final int pairs;
    private final List<Comparison> figures = new ArrayList<>();

    private SmallQueries(Path folder, int pairs) {
        this.folder = folder;
        this.pairs = pairs;
    }

    /** How many pairs; 7 without. */
    public static void main(String[] args) throws Exception {
        var folder = Files.createTempDirectory("weighlock-bench-");
        try {
            var bench = new SmallQueries(folder, args.length > 0 ? Integer.parseInt(args[0]) : 7);
            bench.openConnection();
            bench.newInstances();
            Comparison.print(bench.figures);
        } finally {
            Folders.delete(folder);
        }
    }

    /** Runs one query. */
    private interface Client {
        void query() throws Exception;
    }

    private Comparison figure(String what, String unit, String other) {
        var figure = new Comparison("Q3", what, unit, "runtime", other);
        figures.add(figure);
        return figure;
    }

    private void openConnection() throws Exception {
        var p50 = figure("closed loop of 1,000, p50", "ms", "open connection");
        var p99 = figure("closed loop of 1,000, p99", "ms", "open connection");
        var rate = figure("one client", "1/s", "open connection");
        var many = figure(CLIENTS + " clients", "1/s", "a connection each");
        var cpu = figure("processor time of one", "ms", "open connection");
        var paced = figure("open loop at 10/s, p50", "ms", "open connection");
        try (var runtime = open(8);
                var connection = plain()) {
            Client ours = () -> check(runtime.rows(request()));
            Client driver = () -> check(connection);
            warmUp(ours, driver);
            for (int pair = 0; pair < pairs; pair++) {
                long begin = Processor.nanos();
                var our = closedLoop(ours, CLOSED_LOOP);
                long between = Processor.nanos();
                var their = closedLoop(driver, CLOSED_LOOP);
                cpu.add((between - begin) / 1e6 / CLOSED_LOOP, (Processor.nanos() - between) / 1e6 / CLOSED_LOOP);
                p50.add(millis(our, 0.5), millis(their, 0.5));
                p99.add(millis(our, 0.99), millis(their, 0.99));
                rate.add(perSecond(our), perSecond(their));
                many.add(atOnce(ours), atOnceOn(connection));
                paced.add(millis(openLoop(ours), 0.5), millis(openLoop(driver), 0.5));
            }
        }
    }

    private void newInstances() throws Exception {
        var p50 = figure("a new instance each, p50", "ms", "an instance each");
        try (var runtime = open(0)) {
            Client ours = () -> check(runtime.rows(request()));
            Client driver = () -> {
                try (var connection = plain()) {
                    check(connection);
                }
            };
            closedLoop(ours, NEW_INSTANCES);
            closedLoop(driver, NEW_INSTANCES);
            for (int pair = 0; pair < pairs; pair++) {
                p50.add(millis(closedLoop(ours, NEW_INSTANCES), 0.5), millis(closedLoop(driver, NEW_INSTANCES), 0.5));
            }
        }
    }

    private OpenRuntime open(int warmInstances) {
        return OpenRuntime.open(
                folder.resolve("warm-" + warmInstances),
                new OpenRuntime.Limits(1024 * OpenRuntime.MIB, CLIENTS, THREADS, warmInstances));
    }

    private DuckDBConnection plain() throws SQLException {
        return PlainDuckDb.open(
                PlainDuckDb.engineBytes(GRANT), THREADS, folder.resolve("plain").toString());
    }

    private static QueryRequest request() {
        return QueryRequest.select(SQL, Map.of()).cap(GRANT);
    }

    private static void check(List<Row> rows) {
        if (rows.size() != 1 || !Integer.valueOf(42).equals(rows.getFirst().value(0))) {
            throw new IllegalStateException("not the answer: " + rows);
        }
    }

    private static void check(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery(SQL)) {
            if (!result.next() || result.getInt(1) != 42 || result.next()) {
                throw new IllegalStateException("not the answer");
            }
        }
    }

    private static void warmUp(Client ours, Client driver) throws Exception {
        closedLoop(ours, WARM_UP);
        closedLoop(driver, WARM_UP);
    }

    private static long[] closedLoop(Client client, int queries) throws Exception {
        var nanos = new long[queries];
        for (int i = 0; i < queries; i++) {
            long start = System.nanoTime();
            client.query();
            nanos[i] = System.nanoTime() - start;
        }
        return nanos;
    }

    /** Counted from when each was due, so that a late start counts too. */
    private static long[] openLoop(Client client) throws Exception {
        var nanos = new long[OPEN_LOOP];
        long begin = System.nanoTime();
        for (int i = 0; i < OPEN_LOOP; i++) {
            long due = begin + i * OPEN_LOOP_NANOS;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            client.query();
            nanos[i] = System.nanoTime() - due;
        }
        return nanos;
    }

    private static double atOnce(Client client) throws Exception {
        return atOnce(List.of(client, client, client, client));
    }

    private static double atOnceOn(DuckDBConnection connection) throws Exception {
        var connections = new ArrayList<Connection>();
        var clients = new ArrayList<Client>();
        for (int i = 0; i < CLIENTS; i++) {
            var own = connection.duplicate();
            connections.add(own);
            clients.add(() -> check(own));
        }
        try {
            return atOnce(clients);
        } finally {
            for (var own : connections) {
                own.close();
            }
        }
    }

    /** Queries a second of all clients together. */
    private static double atOnce(List<Client> clients) throws Exception {
        try (var threads = Executors.newFixedThreadPool(clients.size())) {
            long start = System.nanoTime();
            List<Future<long[]>> loops = new ArrayList<>();
            for (var client : clients) {
                loops.add(threads.submit(() -> closedLoop(client, CLOSED_LOOP)));
            }
            for (var loop : loops) {
                loop.get();
            }
            return clients.size() * CLOSED_LOOP * 1e9 / (System.nanoTime() - start);
        }
    }

    private static double millis(long[] nanos, double quantile) {
        var sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[(int) (quantile * (sorted.length - 1))] / 1e6;
    }

    private static double perSecond(long[] nanos) {
        return nanos.length * 1e9 / Arrays.stream(nanos).sum();
    }
}
