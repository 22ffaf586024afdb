package dev.weighlock.bench.postgres;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.sun.management.OperatingSystemMXBean;
import dev.weighlock.bench.Folders;
import dev.weighlock.bench.Machine;
import dev.weighlock.bench.spring.SpringBatch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.LoggerFactory;

/**
 * Where the time of one side goes in B1, B3 or B4: the stack of the thread that works, looked at every millisecond whether it
 * computes or waits; processor time of that thread, the JVM and the server's processes; and what the server counts for its
 * statements. A sample is counted twice: by the call into the driver that it stood in, and by its last frame that is neither
 * the JDK's nor the driver's.
 */
public final class WallProfile {
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double TICK_MILLIS = 10;
    private static final int SHOWN = 20;

    private final Path folder;
    private final BenchServer server;
    private final Place place;
    private final Map<String, Integer> calls = new HashMap<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final Thread worker = Thread.currentThread();
    private Map<String, Double> threadsAfter = Map.of();
    private volatile boolean over;
    private int samples;

    private WallProfile(Path folder) throws Exception {
        this.folder = folder;
        server = new BenchServer(folder);
        place = server.place(10);
    }

    /** Arguments: workload (b1, b3, copy or b4), side (weighlock, spring or hand), seconds. */
    public static void main(String[] args) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        String workload = args.length > 0 ? args[0] : "b3";
        String side = args.length > 1 ? args[1] : "weighlock";
        Path folder = Files.createTempDirectory("bench-profile");
        try {
            new WallProfile(folder).run(workload, side, args.length > 2 ? Integer.parseInt(args[2]) : 10);
        } finally {
            Folders.delete(folder);
        }
    }

    /** Does some units of work and says how many. */
    @FunctionalInterface
    private interface Round {
        int run() throws Exception;
    }

    private void run(String workload, String name, int seconds) throws Exception {
        server.run(place, "CREATE EXTENSION pg_stat_statements SCHEMA public");
        server.run(place, "ALTER DATABASE " + place.database() + " SET pg_stat_statements.track_planning = on");
        try (Contender side = opened(name)) {
            Round round = round(workload, side);
            during(seconds / 2.0 + 2, round);
            server.run(place, "SELECT public.pg_stat_statements_reset()");
            Thread sampler = Thread.ofPlatform().daemon().start(this::sample);
            Processor before = processor();
            Map<String, Double> threadsBefore = threads();
            long begun = System.nanoTime();
            long units = during(seconds, round);
            double millis = (System.nanoTime() - begun) / 1e6 / units;
            Processor after = processor();
            threadsAfter = threads();
            over = true;
            sampler.join();
            System.out.println(Machine.now().text());
            System.out.printf(Locale.ROOT, "%s %s: %d units, %.3f ms each%n", workload, name, units, millis);
            System.out.println(after.since(before, units));
            printThreads(threadsBefore, units);
            print(calls, millis);
            print(places, millis);
            statements(units);
        }
        server.settle();
    }

    private Contender opened(String name) throws Exception {
        return switch (name) {
            case "weighlock" -> new Weighlock(place);
            case "spring" -> new SpringBatch(place);
            case "hand" -> new ByHand(place);
            default -> throw new IllegalArgumentException("no side " + name + ": weighlock, spring or hand");
        };
    }

    private Round round(String workload, Contender side) throws IOException {
        Path csv = folder.resolve("sales.csv");
        Sales.write(csv, 10_000);
        return switch (workload) {
            case "b1" -> () -> side.jobs(50).length;
            case "b3", "copy" ->
                () -> {
                    server.run(place, "TRUNCATE item");
                    side.items(200_000, 1_000, workload.equals("copy"));
                    return 200;
                };
            case "b4" ->
                () -> {
                    server.run(place, "TRUNCATE sale");
                    side.records(csv, 100);
                    return 100;
                };
            default -> throw new IllegalArgumentException("no workload " + workload + ": b1, b3, copy or b4");
        };
    }

    private static long during(double seconds, Round round) throws Exception {
        long units = 0;
        for (long begun = System.nanoTime(); System.nanoTime() - begun < seconds * 1e9; ) {
            units += round.run();
        }
        return units;
    }

    private void sample() {
        while (!over) {
            StackTraceElement[] stack = worker.getStackTrace();
            samples++;
            calls.merge(call(stack), 1, Integer::sum);
            places.merge(place(stack), 1, Integer::sum);
            LockSupport.parkNanos(EVERY_NANOS);
        }
    }

    /** What was asked of the driver, and whether it waits for the server. */
    private static String call(StackTraceElement[] stack) {
        String asked = "none of the driver";
        boolean waits = false;
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            waits |= isRead(type, frame.getMethodName());
            if (type.startsWith("org.postgresql")) {
                asked = simple(frame);
            }
        }
        return asked + (waits ? ", waiting for the server" : "");
    }

    private static boolean isRead(String type, String method) {
        return type.endsWith("SocketDispatcher")
                ? method.startsWith("read")
                : type.endsWith(".Net") && method.equals("poll");
    }

    private static String place(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            if (List.of("java.", "jdk.", "sun.", "org.postgresql", "com.zaxxer").stream()
                    .noneMatch(type::startsWith)) {
                return simple(frame) + ":" + frame.getLineNumber();
            }
        }
        return "elsewhere";
    }

    private static String simple(StackTraceElement frame) {
        return frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1) + "." + frame.getMethodName();
    }

    private void print(Map<String, Integer> counted, double millis) {
        System.out.println();
        counted.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(SHOWN)
                .forEach(entry -> System.out.printf(
                        Locale.ROOT,
                        "%5.1f %%  %7.3f ms  %s%n",
                        100.0 * entry.getValue() / samples,
                        millis * entry.getValue() / samples,
                        entry.getKey()));
    }

    /** Milliseconds so far. */
    private record Processor(double worker, double jvm, double user, double system) {
        String since(Processor before, long units) {
            return String.format(
                    Locale.ROOT,
                    "processor time of a unit: worker %.3f ms, whole JVM %.3f ms, server %.3f ms user + %.3f ms system",
                    (worker - before.worker) / units,
                    (jvm - before.jvm) / units,
                    (user - before.user) / units,
                    (system - before.system) / units);
        }
    }

    /** Milliseconds so far of this JVM's threads, those of one name together. */
    private static Map<String, Double> threads() throws IOException {
        Map<String, Double> millis = new HashMap<>();
        try (var tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                String line = Files.readString(task.resolve("stat"));
                String name = line.substring(line.indexOf('(') + 1, line.lastIndexOf(')'));
                String[] words = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
                double spent = (Long.parseLong(words[11]) + Long.parseLong(words[12])) * TICK_MILLIS;
                millis.merge(name, spent, Double::sum);
            }
        }
        return millis;
    }

    private void printThreads(Map<String, Double> before, long units) {
        Map<String, Double> spent = new HashMap<>();
        threadsAfter.forEach((name, millis) -> spent.put(name, millis - before.getOrDefault(name, 0.0)));
        spent.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(8)
                .forEach(entry ->
                        System.out.printf(Locale.ROOT, "  %.3f ms  %s%n", entry.getValue() / units, entry.getKey()));
    }

    /** The server's processes as the system counts them: utime and stime are the 14th and 15th of their line. */
    private Processor processor() throws Exception {
        double user = 0;
        double system = 0;
        try (var connection = server.connect(place);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("""
                        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                        """)) {
            while (rows.next()) {
                String line = Files.readString(Path.of("/proc", rows.getString(1), "stat"));
                String[] words = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
                user += Long.parseLong(words[11]) * TICK_MILLIS;
                system += Long.parseLong(words[12]) * TICK_MILLIS;
            }
        }
        var jvm = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long own = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        return new Processor(own / 1e6, jvm.getProcessCpuTime() / 1e6, user, system);
    }

    private void statements(long units) throws SQLException {
        System.out.println();
        try (var connection = server.connect(place);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("""
                        SELECT calls, total_exec_time, total_plan_time, wal_bytes,
                            regexp_replace(left(query, 90), '\\s+', ' ', 'g') AS query
                        FROM public.pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
                        WHERE d.datname = current_database() ORDER BY total_exec_time DESC LIMIT 12
                        """)) {
            while (rows.next()) {
                System.out.printf(
                        Locale.ROOT,
                        "%6.2f calls, %.3f ms + %.3f ms to plan, %.0f bytes of log a unit  %s%n",
                        rows.getDouble(1) / units,
                        rows.getDouble(2) / units,
                        rows.getDouble(3) / units,
                        rows.getDouble(4) / units,
                        rows.getString(5));
            }
        }
    }
}
