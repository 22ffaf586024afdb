package dev.weighlock.batch.jdbc.postgres;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Whether what is said through the repository's own URL is heard on the control connection: behind a pooler that gives a
 * connection away between transactions it is not.
 *
 * <p>{@link #state} may be asked by anybody, the rest is for one thread.
 */
final class PushProbe {
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final int SLICE_MILLIS = 50;
    private static final PushState UNHEARD =
            new PushState.Off("no notification comes through, as behind a pooler: name a control URL");

    private final String words = "test " + UUID.randomUUID();
    private volatile @Nullable PushState answer;
    private volatile long saidNanos;
    private volatile boolean said;

    /** The test of a process that is no node, on a control connection of its own. */
    static PushState run(PostgresDatabase database, StopChannel channel) {
        var test = new PushProbe();
        try (var listening = database.connectForControl()) {
            channel.join(database.session(listening));
            test.begin(database, channel);
            while (test.state().isEmpty()) {
                for (var heard : listening.unwrap(PGConnection.class).getNotifications(SLICE_MILLIS)) {
                    test.heard(heard.getParameter());
                }
            }
            return test.state().orElseThrow();
        } catch (SQLException e) {
            return untested(e);
        }
    }

    static PushProbe answered(String why) {
        var test = new PushProbe();
        test.answer = new PushState.Off(why);
        return test;
    }

    private static PushState untested(SQLException e) {
        return new PushState.Off("it cannot be tested: " + e.getMessage());
    }

    /** Empty while the answer may still come. */
    Optional<PushState> state() {
        var known = answer;
        if (known == null && said && System.nanoTime() - saidNanos > LONGEST.toNanos()) {
            known = UNHEARD;
        }
        return Optional.ofNullable(known);
    }

    /** Says a word of its own on a connection of its own. The control connection must listen already. */
    void begin(PostgresDatabase database, StopChannel channel) {
        try (var connection = database.connect()) {
            channel.say(database.session(connection), words);
            saidNanos = System.nanoTime();
            said = true;
        } catch (SQLException e) {
            answer = untested(e);
        }
    }

    void heard(String spoken) {
        if (spoken.equals(words)) {
            answer = new PushState.On();
        }
    }
}
