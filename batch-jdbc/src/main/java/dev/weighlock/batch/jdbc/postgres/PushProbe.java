package dev.weighlock.batch.jdbc.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Whether what is said through the repository's own URL is heard on the control connection: behind a pooler that gives a
 * connection away between transactions it is not. No time decides: a server hands over what was said before it answers the
 * next statement of whoever listens.
 *
 * <p>{@link #state} may be asked by anybody, the rest is for one thread.
 */
final class PushProbe {
    private static final int SLICE_MILLIS = 50;
    private static final PushState UNHEARD =
            new PushState.Off("no notification comes through, as behind a pooler: name a control URL");

    private final String words = "test " + UUID.randomUUID();
    private volatile @Nullable PushState answer;

    /** The test of a process that is no node, on a control connection of its own. */
    static PushState run(PostgresDatabase database, StopChannel channel) {
        var test = new PushProbe();
        try (var listening = database.connectForControl()) {
            channel.join(database.session(listening));
            test.begin(database, channel, listening);
            for (var heard : listening.unwrap(PGConnection.class).getNotifications(SLICE_MILLIS)) {
                test.heard(heard.getParameter());
            }
            test.heardAll();
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
        return Optional.ofNullable(answer);
    }

    /**
     * Says a word of its own on a connection of its own, and has {@code listening}, which must listen already, answered
     * afterwards: its next look at notifications finds the word, or nothing comes through.
     */
    void begin(PostgresDatabase database, StopChannel channel, Connection listening) throws SQLException {
        try (var connection = database.connect()) {
            channel.say(database.session(connection), words);
        } catch (SQLException e) {
            answer = untested(e);
            return;
        }
        try (var statement = listening.createStatement()) {
            statement.execute("SELECT 1");
        }
    }

    void heard(String spoken) {
        if (spoken.equals(words)) {
            answer = new PushState.On();
        }
    }

    /** After that look. */
    void heardAll() {
        if (answer == null) {
            answer = UNHEARD;
        }
    }
}
