package dev.weighlock.app.prove.stand;

import dev.weighlock.batch.BatchStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The watcher as a process of its own: looks at one job again and again, through one connection, and prints what is new.
 * It ends when its input does, and then says how often it looked.
 */
final class WatcherProcess {
    /** Between two looks. */
    static final Duration PAUSE = Duration.ofMillis(1);

    private static final String LOOK = """
            SELECT e.id, e.status,
                (SELECT count(*) FROM partition_execution p JOIN step_execution s ON s.id = p.step_execution_id
                 WHERE s.execution_id = e.id AND p.status = 'COMPLETED' AND NOT p.carried_over),
                (SELECT count(*) FROM %1$s b WHERE b.execution_id = e.id AND b.ended_at IS NULL),
                (SELECT count(*) FROM %1$s b WHERE b.execution_id = e.id),
                (SELECT coalesce(sum(b.beats), 0) FROM %1$s b WHERE b.execution_id = e.id)
            FROM job j JOIN job_execution e ON e.id = j.last_execution_id WHERE j.name = ?
            """.formatted(Bodies.TABLE);

    private final List<Long> gapsNanos = new ArrayList<>();
    private final CountDownLatch enough = new CountDownLatch(1);

    private WatcherProcess() {
        Thread.ofPlatform().daemon().name("weighlock-prove-input").start(this::awaitEnd);
    }

    /** A word ends the watching, and so does the end of the input: whoever began it is gone then. */
    private void awaitEnd() {
        try {
            int _ = System.in.read();
        } catch (IOException broken) {
            System.err.println("the input broke: " + broken.getMessage());
        } finally {
            enough.countDown();
        }
    }

    /** Words: the target's URL, the campaign's folder, the job. */
    public static void main(String[] words) throws SQLException, InterruptedException {
        Target target = Targets.named(words[0], System.getenv(), Path.of("").toAbsolutePath(), Path.of(words[1]));
        try (Connection connection = target.connect();
                PreparedStatement look = connection.prepareStatement(LOOK)) {
            look.setString(1, words[2]);
            System.out.println("ready");
            new WatcherProcess().watch(look);
        }
    }

    private void watch(PreparedStatement look) throws SQLException, InterruptedException {
        @Nullable Seen before = null;
        long last = System.nanoTime();
        do {
            Optional<Seen> seen = look(look);
            long now = System.nanoTime();
            gapsNanos.add(now - last);
            last = now;
            if (seen.isPresent() && (before == null || seen.get().isNewsAfter(before))) {
                before = seen.get();
                System.out.println(before.line());
            }
        } while (!enough.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS));
        gapsNanos.sort(null);
        System.out.println("looked " + gapsNanos.size() + " " + gapsNanos.get(gapsNanos.size() / 2) / 1000 + " "
                + gapsNanos.getLast() / 1000);
    }

    private static Optional<Seen> look(PreparedStatement look) throws SQLException {
        try (var row = look.executeQuery()) {
            return row.next()
                    ? Optional.of(new Seen(
                            Instant.now(),
                            row.getLong(1),
                            BatchStatus.valueOf(row.getString(2)),
                            row.getLong(3),
                            row.getLong(4),
                            row.getLong(5),
                            row.getLong(6)))
                    : Optional.empty();
        }
    }
}
