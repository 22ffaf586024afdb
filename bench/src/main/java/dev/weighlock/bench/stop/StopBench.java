package dev.weighlock.bench.stop;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.bench.Comparison;
import dev.weighlock.bench.Folders;
import dev.weighlock.bench.postgres.BenchServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;

/**
 * B7: a job runs in a process of its own; this one asks for its stop, and watches the stored rows and the beats of the
 * bodies over connections of its own. Beside Spring Batch on PostgreSQL, in turns; on SQLite alone. Then the latencies of
 * the cancellation campaign, in its shape.
 */
public final class StopBench {
    private static final int FEW = 64;
    private static final int MANY = 1_000;
    private static final int POOL = 10;
    private static final long SEED = 20_261_201;
    private static final String ID = "B7";
    private static final String OURS = "weighlock";
    private static final String SPRING = "spring batch 6.0.6";
    private static final String AIM = "aimed at";
    /** What the system that the campaign comes from took at most, on four processors. */
    private static final String SOURCE = "source system";

    private final List<Comparison> figures = new ArrayList<>();
    private final List<Double> looks = new ArrayList<>();
    private final Random random = new Random(SEED);
    private final int pairs;
    private final Path folder;

    private StopBench(int pairs, Path folder) {
        this.pairs = pairs;
        this.folder = folder;
    }

    /** Runs them all; an argument says how many pairs, which are 3 without. */
    public static void main(String[] args) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        Path folder = Files.createTempDirectory("bench-stop");
        try {
            StopBench bench = new StopBench(args.length > 0 ? Integer.parseInt(args[0]) : 3, folder);
            BenchServer server = new BenchServer(folder);
            bench.onPostgres(server);
            bench.onSqlite();
            server.settle();
            double look = bench.looks.stream().mapToDouble(d -> d).average().orElse(0);
            Comparison.print(
                    String.format(Locale.ROOT, "PostgreSQL %s, durable; a look every %.1f ms", server.version(), look),
                    bench.figures);
        } finally {
            Folders.delete(folder);
        }
    }

    private void onPostgres(BenchServer server) throws Exception {
        Ground ours = new Ground.Postgres(server.place(POOL));
        Ground theirs = new Ground.Postgres(server.place(POOL));
        try (Watched one = watched(Side.WEIGHLOCK, ours);
                Watched other = watched(Side.SPRING_BATCH, theirs)) {
            inTurns(one, other, FEW, 50);
            inTurns(one, other, MANY, 100);
            alone(one, Work.CHUNKS, 0, "FINISH_CHUNK", AIM, new double[] {50, 50});
            alone(one, Work.ATTENTIVE, FEW, "64 attentive", SOURCE, new double[] {116, 452});
            alone(one, Work.BLOCKING, FEW, "64 blocking", SOURCE, new double[] {100, 919});
            alone(one, Work.TRANSACTION, FEW, "64 in transactions", SOURCE, new double[] {93, 547});
        }
        try (JobRepository repository = ours.open()) {
            alone("completing drain, 7 tasks", 80, () -> Drains.completing(repository));
            alone("escalation, 4 tasks held", 0.336, () -> Drains.escalated(repository));
        }
    }

    private void onSqlite() throws Exception {
        Ground ground = new Ground.Sqlite(Files.createDirectory(folder.resolve("files")));
        ground.open().close();
        try (var connection = ground.connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE item (id INTEGER, name TEXT)");
        }
        try (Watched one = watched(Side.WEIGHLOCK, ground)) {
            alone(one, Work.ATTENTIVE, FEW, "SQLite, 64 partitions", AIM, new double[] {150, 150});
            alone(one, Work.ATTENTIVE, MANY, "SQLite, 1000 partitions", AIM, new double[] {150, 150});
            alone(one, Work.CHUNKS, 0, "SQLite, FINISH_CHUNK", AIM, new double[] {150, 50});
        }
    }

    private Watched watched(Side side, Ground ground) throws Exception {
        return new Watched(side, ground, Files.createTempDirectory(folder, side.name()), random);
    }

    private Stopped stop(Watched side, Work work, int partitions) throws Exception {
        Stopped stopped = side.stop(work, partitions);
        looks.add(stopped.look());
        return stopped;
    }

    private void inTurns(Watched one, Watched other, int partitions, double target) throws Exception {
        String what = partitions + " partitions: ";
        Comparison row = figure(what + "the job's row is over", "ms", SPRING);
        Comparison all = figure(what + "every row is over", "ms", SPRING);
        Comparison body = figure(what + "the last body's beat", "ms", SPRING);
        Comparison after = figure(what + "beats after the job's row", "", SPRING);
        Comparison aimed = figure(what + "every row is over", "ms", AIM);
        for (int round = 0; round <= pairs; round++) {
            Stopped our = stop(one, Work.ATTENTIVE, partitions);
            Stopped their = stop(other, Work.ATTENTIVE, partitions);
            if (round > 0) {
                row.add(our.job(), their.job());
                all.add(our.all(), their.all());
                body.add(our.body(), their.body());
                after.add(our.beatsAfter(), their.beatsAfter());
                aimed.add(our.all(), target);
            }
        }
    }

    /**
     * Stops of ours alone.
     *
     * @param other whose figures they stand beside
     * @param figures until STOPPING and until every row is over; with chunks that from the chunk's end on
     */
    private void alone(Watched side, Work work, int partitions, String what, String other, double[] figures)
            throws Exception {
        Comparison stopping = figure(what + ": STOPPING", "ms", other);
        Comparison all = figure(
                what + ": every row is over" + (work == Work.CHUNKS ? ", from the chunk's end" : ""), "ms", other);
        double most = 0;
        for (int round = 0; round <= pairs; round++) {
            Stopped stopped = stop(side, work, partitions);
            most = Math.max(most, stopped.beatsAfter());
            if (round > 0) {
                stopping.add(stopped.stopping(), figures[0]);
                all.add(work == Work.CHUNKS ? stopped.all() - stopped.body() : stopped.all(), figures[1]);
            }
        }
        this.figures.add(Comparison.aimed(ID, what + ": beats after the job's row, at most", "", most, 0));
    }

    private void alone(String what, double target, Callable<Double> millis) throws Exception {
        Comparison comparison = figure(what, "ms", SOURCE);
        for (int round = 0; round <= pairs; round++) {
            double taken = millis.call();
            if (round > 0) {
                comparison.add(taken, target);
            }
        }
    }

    private Comparison figure(String what, String unit, String other) {
        Comparison comparison = new Comparison(ID, what, unit, OURS, other);
        figures.add(comparison);
        return comparison;
    }
}
