package dev.weighlock.bench.postgres;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.weighlock.bench.Comparison;
import dev.weighlock.bench.Folders;
import dev.weighlock.bench.postgres.Turns.Entry;
import dev.weighlock.bench.postgres.Turns.Measure;
import dev.weighlock.bench.spring.SpringBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.slf4j.LoggerFactory;

/** B1, B3 to B6 and B8 to B10 on one PostgreSQL server, beside Spring Batch and loops by hand in turns; a table, then JSON. */
public final class BatchPostgres {
    private static final List<String> WORKLOADS = List.of("b1", "b3", "b4", "b5", "b6", "b8", "b9", "b10");
    private static final int POOL = 10;

    private final Path folder;
    private final BenchServer server;
    private final Options options;
    private final Turns turns;
    private final List<Entry> all;
    private final List<Entry> withoutSpring;

    private BatchPostgres(BenchServer server, Options options, Path folder) throws Exception {
        this.folder = folder;
        this.server = server;
        this.options = options;
        this.turns = new Turns(server, options.size("pairs"));
        Entry ours = new Entry("weighlock", server.place(POOL), Weighlock::new);
        Entry spring = new Entry("spring batch 6.0.6", server.place(POOL), SpringBatch::new);
        Entry hand = new Entry("by hand", server.place(POOL), ByHand::new);
        all = List.of(ours, spring, hand);
        withoutSpring = List.of(ours, hand);
    }

    public static void main(String[] args) throws Exception {
        Options options = Options.of(WORKLOADS, args);
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        Path folder = Files.createTempDirectory("bench-postgres");
        try {
            BenchServer server = new BenchServer(folder);
            BatchPostgres bench = new BatchPostgres(server, options, folder);
            for (String workload : options.workloads()) {
                bench.run(workload);
            }
            server.settle();
            Comparison.print(
                    "PostgreSQL " + server.version() + ", fsync and synchronous_commit on; sizes " + options.sizes(),
                    bench.turns.figures());
        } finally {
            Folders.delete(folder);
        }
    }

    private void run(String workload) throws Exception {
        System.err.println(workload + " ...");
        switch (workload) {
            case "b1" -> noop();
            case "b3" -> items();
            case "b4" -> records();
            case "b5" -> empty();
            case "b6" -> writing();
            case "b8" -> left();
            case "b9" -> history();
            case "b10" -> killed();
            default -> throw new IllegalArgumentException(workload);
        }
    }

    private void noop() throws Exception {
        int jobs = options.size("jobs");
        var measures = List.of(new Measure("no-op jobs a second", "1/s"), new Measure("no-op job, p50", "ms"));
        turns.compare("B1", measures, all, POOL, (entry, side) -> {
            double[] seconds = side.jobs(jobs);
            Arrays.sort(seconds);
            return new double[] {jobs / DoubleStream.of(seconds).sum(), seconds[jobs / 2] * 1e3};
        });
        turns.traffic("B1", "job", all, 20, Contender::jobs);
        beside(jobs);
    }

    /** What the server and its disk take for as many commits as a job has. */
    private void beside(int jobs) throws Exception {
        Place place = all.getFirst().place();
        double[] seconds;
        try (Weighlock side = new Weighlock(place)) {
            side.jobs(jobs);
            seconds = side.jobs(jobs);
        }
        Arrays.sort(seconds);
        double floor = Floor.millis(server, place, jobs);
        turns.beside("B1", "no-op job, p50, a floor of two commits", "ms", seconds[jobs / 2] * 1e3, "floor", 2 * floor);
    }

    private void items() throws Exception {
        copy(all, false, "rows a second, batch");
        copy(withoutSpring, true, "rows a second, COPY");
        int chunk = options.size("chunk");
        turns.traffic("B3", "chunk", all, 20, (side, chunks) -> side.items((long) chunks * chunk, chunk, false));
    }

    private void copy(List<Entry> entries, boolean copying, String what) throws Exception {
        int count = options.size("items");
        int chunk = options.size("chunk");
        turns.compare(
                "B3",
                List.of(new Measure(what, "1/s")),
                entries,
                POOL,
                (entry, side) -> written(entry.place(), "item", count, () -> side.items(count, chunk, copying)));
    }

    private void records() throws Exception {
        int rows = options.size("rows");
        Path csv = folder.resolve("sales.csv");
        Sales.write(csv, rows);
        turns.compare(
                "B4",
                List.of(new Measure("CSV rows a second, chunk 100", "1/s")),
                all,
                POOL,
                (entry, side) -> written(entry.place(), "sale", rows, () -> side.records(csv, 100)));
    }

    private void empty() throws Exception {
        int partitions = options.size("partitions");
        var measures = List.of(new Measure("empty partitions a second, 8 workers", "1/s"));
        turns.compare(
                "B5",
                measures,
                all,
                POOL,
                (entry, side) -> perSecond(partitions, () -> side.partitions(partitions, 8, false)));
        turns.traffic("B5", "partition", all, 100, (side, count) -> side.partitions(count, 8, false));
    }

    private void writing() throws Exception {
        int partitions = options.size("writes");
        for (int workers : new int[] {1, 10, 64}) {
            var measures = List.of(new Measure("writing partitions a second, " + workers, "1/s"));
            turns.compare(
                    "B6",
                    measures,
                    all,
                    workers + 2,
                    (entry, side) -> written(
                            entry.place(), "business", partitions, () -> side.partitions(partitions, workers, true)));
        }
        turns.traffic("B6", "partition", all, 100, (side, count) -> side.partitions(count, 8, true));
    }

    private void left() throws Exception {
        double[] figures = LeftPartitions.inOwnJvm(server.place(POOL), options.size("left"));
        turns.aim("B8", "plan taken over, the first of 3 begins", "ms", figures[0], 300);
        turns.aim("B8", "heap afterwards, of 128 MiB at most", "MiB", figures[2], 128);
        int partitions = options.size("partitions");
        var measures = List.of(
                new Measure("3 of " + partitions + " left, the first begins", "ms"),
                new Measure("3 of " + partitions + " left, the job ends", "ms"));
        turns.compare("B8", measures, all.subList(0, 2), POOL, (entry, side) -> {
            double[] seconds = side.leftOver(partitions);
            return new double[] {seconds[0] * 1e3, seconds[1] * 1e3};
        });
    }

    /** Two databases with the same tables, one with a long history: statements, then time in turns. */
    private void history() throws Exception {
        Entry full = new Entry("with history", server.place(POOL), Weighlock::new);
        Entry empty = new Entry("without", server.place(POOL), Weighlock::new);
        try (Weighlock loaded = new Weighlock(full.place());
                Weighlock bare = new Weighlock(empty.place())) {
            History.load(server, full.place(), options.size("stored"));
            History.load(server, empty.place(), 0);
            List<History.Side> sides =
                    List.of(new History.Side(full.place(), loaded), new History.Side(empty.place(), bare));
            for (var work : History.WORK.entrySet()) {
                Comparison comparison =
                        turns.comparison("B9", new Measure("statements a " + work.getKey(), ""), full, empty);
                comparison.add(
                        History.statements(server, sides.getFirst(), 10, work.getValue()),
                        History.statements(server, sides.getLast(), 10, work.getValue()));
            }
        }
        int jobs = options.size("jobs");
        turns.compare(
                "B9",
                List.of(new Measure("no-op jobs a second", "1/s")),
                List.of(full, empty),
                POOL,
                (entry, side) -> perSecond(jobs, () -> side.jobs(jobs)));
    }

    private void killed() throws Exception {
        double[] millis = KilledRun.untilWorkingAgain(server, server.place(POOL), options.size("items"));
        for (int stage = 0; stage < millis.length; stage++) {
            String what = "killed, wl restart until " + KilledRun.stages().get(stage);
            turns.aim("B10", what, "ms", millis[stage], 1_000);
        }
    }

    /** Something timed. */
    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    /** The same into an empty table, in which each row must be found afterwards. */
    private double[] written(Place place, String table, int rows, Work work) throws Exception {
        server.run(place, "TRUNCATE " + table);
        double[] rate = perSecond(rows, work);
        long found = server.number(place, "SELECT count(*) FROM " + table);
        if (found != rows) {
            throw new IllegalStateException(found + " rows in " + table + " instead of " + rows);
        }
        return rate;
    }

    private static double[] perSecond(int units, Work work) throws Exception {
        long begun = System.nanoTime();
        work.run();
        return new double[] {units / ((System.nanoTime() - begun) / 1e9)};
    }
}
