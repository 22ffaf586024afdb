package dev.weighlock.bench.stop;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.weighlock.batch.testkit.ChildJvm;
import dev.weighlock.bench.spring.SpringBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The process whose jobs are stopped. Closing lets it end by itself. */
final class StoppableProcess implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Orders orders;
    private final ChildJvm child;

    private StoppableProcess(Orders orders, ChildJvm child) {
        this.orders = orders;
        this.child = child;
    }

    static StoppableProcess start(Side side, Ground ground, Path folder) throws IOException {
        Path own = Files.createDirectories(folder);
        List<String> words = new ArrayList<>(List.of(side.name(), own.toString()));
        words.addAll(ground.words());
        return new StoppableProcess(new Orders(own), ChildJvm.start(StoppableProcess.class, own, words));
    }

    void order(Work work, int partitions) throws IOException {
        orders.give(work, partitions);
    }

    String output() {
        return child.output();
    }

    @Override
    public void close() throws IOException {
        try (child) {
            orders.end();
            if (child.awaitExit(LONGEST) != 0) {
                throw new IllegalStateException(child.output());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        Ground ground = Ground.of(Arrays.asList(args).subList(2, args.length));
        try (Beats beats = new Beats(ground);
                Runner runner = open(Side.valueOf(args[0]), ground, beats)) {
            new Orders(Path.of(args[1])).follow(runner);
        }
    }

    private static Runner open(Side side, Ground ground, Beats beats) throws Exception {
        return switch (side) {
            case WEIGHLOCK -> new WeighlockRunner(ground, beats);
            case SPRING_BATCH -> new SpringRunner(new SpringBatch(((Ground.Postgres) ground).place()), beats);
        };
    }
}
