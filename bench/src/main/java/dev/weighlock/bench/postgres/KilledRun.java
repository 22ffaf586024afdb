package dev.weighlock.bench.postgres;

import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * B10: {@code wl run} loads a file and is killed in the middle, {@code wl restart} goes on. Repository and target are one
 * PostgreSQL database. The command was built, and used once, before.
 */
final class KilledRun {
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int CHUNK = 1_000;
    /** What an outsider sees of a restart, each once and for all. */
    private static final List<String> STAGES =
            List.of("a node", "the dead one's end", "the launch", "the first commit");

    private final BenchServer server;
    private final Place place;
    private final int items;
    private final Path folder;

    private KilledRun(BenchServer server, Place place, int items) throws IOException {
        this.server = server;
        this.place = place;
        this.items = items;
        this.folder = Files.createDirectory(place.locks().resolveSibling("killed"));
    }

    /** Milliseconds from the start of {@code wl restart} to each stage, in the order of {@link #stages}. */
    static double[] untilWorkingAgain(BenchServer server, Place place, int items) throws Exception {
        new PostgresSchema(Weighlock.settings(place)).migrate();
        KilledRun run = new KilledRun(server, place, items);
        run.write();
        run.await("schema", "status");
        return run.killAndRestart();
    }

    static List<String> stages() {
        return STAGES;
    }

    private void write() throws IOException {
        String url = "\"" + place.url() + "\"";
        Files.writeString(
                folder.resolve("weighlock.yaml"),
                "repository: {url: " + url + "}\nconnections:\n  target: {url: " + url
                        + ", user: \"env:PGUSER\", checkpoint: create}\n");
        Files.writeString(folder.resolve("load.yaml"), """
                job: load
                steps:
                  - id: copy
                    chunk:
                      read: {csv: items.csv, schema: {id: BIGINT, name: VARCHAR}}
                      write: {jdbc: {connection: target, table: item}}
                      size: %d
                """.formatted(CHUNK));
        try (var lines = Files.newBufferedWriter(folder.resolve("items.csv"))) {
            lines.write("id,name\n");
            for (long id = 0; id < items; id++) {
                lines.write(id + ",item " + id + "\n");
            }
        }
    }

    private Process start(String... words) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(Path.of("wl").toAbsolutePath().toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().putAll(Map.of("PGUSER", Place.USER, "PGPASSWORD", "any"));
        return builder.start();
    }

    private void await(String... words) throws Exception {
        await(start(words));
    }

    private void await(Process process) throws Exception {
        if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException(output());
        }
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"), StandardCharsets.UTF_8);
    }

    private double[] killAndRestart() throws Exception {
        Process first = start("run", "load.yaml");
        long chunks = items / CHUNK / 2;
        try {
            awaitChunks(chunks);
        } finally {
            // The script became the Java program: its process is this one.
            first.destroyForcibly();
            first.waitFor();
        }
        long begun = System.nanoTime();
        Process second = start("restart", "1");
        double[] stages = watch(begun);
        await(second);
        check();
        return stages;
    }

    private void awaitChunks(long chunks) throws Exception {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (!server.exists(place, "public.weighlock_checkpoint")
                || server.number(place, "SELECT coalesce(max(sequence), 0) FROM weighlock_checkpoint") < chunks) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("nothing more is written: " + output());
            }
            Thread.sleep(5);
        }
    }

    /** Looks every few milliseconds. */
    private double[] watch(long begun) throws Exception {
        double[] seen = new double[STAGES.size()];
        try (var connection = server.connect(place);
                var statement = connection.prepareStatement("""
                        SELECT (SELECT count(*) FROM weighlock.node) > 1,
                            (SELECT ended_at IS NOT NULL FROM weighlock.job_execution WHERE id = 1),
                            (SELECT count(*) FROM weighlock.job_execution) > 1,
                            (SELECT sequence FROM weighlock_checkpoint)
                        """)) {
            long sequence = sequence(statement);
            for (long now = begun; now - begun < LONGEST.toNanos(); now = System.nanoTime()) {
                if (look(statement, sequence, (now - begun) / 1e6, seen)) {
                    return seen;
                }
                TimeUnit.MILLISECONDS.sleep(2);
            }
        }
        throw new IllegalStateException("it does not go on: " + output());
    }

    private static long sequence(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(4);
        }
    }

    private static boolean look(PreparedStatement statement, long sequence, double millis, double[] seen)
            throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            for (int stage = 0; stage < seen.length; stage++) {
                boolean reached = stage < 3 ? row.getBoolean(stage + 1) : row.getLong(4) > sequence;
                if (reached && seen[stage] == 0) {
                    seen[stage] = millis;
                }
            }
        }
        return seen[seen.length - 1] > 0;
    }

    private void check() throws Exception {
        long rows = server.number(place, "SELECT count(*) FROM item");
        long different = server.number(place, "SELECT count(DISTINCT id) FROM item");
        if (rows != items || different != items) {
            throw new IllegalStateException(rows + " rows, " + different + " different ones, instead of " + items);
        }
    }
}
