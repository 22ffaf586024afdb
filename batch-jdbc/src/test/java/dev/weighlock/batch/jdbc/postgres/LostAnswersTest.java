package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.StoreDatabase.ReadBack;
import dev.weighlock.batch.testkit.CutProxy;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a write whose connection breaks: the database is asked, and nothing is done twice. */
class LostAnswersTest {
    private TestStore store;
    private CutProxy proxy;
    private PostgresDatabase database;

    @BeforeEach
    void open() throws Exception {
        store = TestStore.onNewest();
        store.run("CREATE TABLE mark (id INTEGER)");
        proxy = CutProxy.start(EmbeddedDatabase.port());
        var settings = TestStore.settings(EmbeddedDatabase.url("postgres", proxy.port()))
                .withSchema(store.settings().schema());
        database = new PostgresDatabase(settings);
        assertThat(database.<Integer>read(session -> 1)).isEqualTo(1);
    }

    @AfterEach
    void close() {
        database.close();
        proxy.close();
        store.close();
    }

    private static int insert(Session session) throws SQLException {
        return session.sql("INSERT INTO mark VALUES (1)").update();
    }

    private static final ReadBack<Integer> MARKED =
            session -> session.sql("SELECT id FROM mark").first(row -> (int) row.number("id"));

    private long marks() throws SQLException {
        return store.number("SELECT count(*) FROM mark");
    }

    @Test
    void statement_whoseAnswerIsLost_isFoundAndNotRepeated() throws Exception {
        proxy.cutAnswer("INSERT 0 1", 1);

        assertThat(database.writeOne(LostAnswersTest::insert, MARKED)).isEqualTo(1);

        assertThat(proxy.cuts()).isEqualTo(1);
        assertThat(marks()).isEqualTo(1);
    }

    @Test
    void commit_whoseAnswerIsLost_isFoundAndNotRepeated() throws Exception {
        proxy.cutAnswer("COMMIT", 1);

        assertThat(database.writeOnce(LostAnswersTest::insert, MARKED)).isEqualTo(1);

        assertThat(proxy.cuts()).isEqualTo(1);
        assertThat(marks()).isEqualTo(1);
    }

    /** The first commit stands still in the server while its client is cut off. */
    @Test
    void commit_thatStillRunsOnAConnectionMadeForIt_isEndedBeforeItIsDoneAgain() throws Exception {
        var schema = store.settings().schema();
        store.run("CREATE SEQUENCE commits");
        store.run("CREATE FUNCTION first_sleeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('" + schema
                + ".commits') = 1 THEN PERFORM pg_sleep(60); END IF; RETURN NULL; END $$");
        store.run("CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON mark DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION first_sleeps()");
        try (var fresh = new PostgresDatabase(database.settings());
                var cutter = Executors.newSingleThreadExecutor()) {
            var cut = cutter.submit(() -> {
                for (int looked = 0; sleeping() == 0 && looked < 3000; looked++) {
                    Thread.sleep(10);
                }
                proxy.goAway();
                proxy.comeBack();
                return true;
            });

            assertThat(fresh.write(LostAnswersTest::insert, MARKED)).isEqualTo(1);

            assertThat(cut.get()).isTrue();
        }
        assertThat(sleeping()).isZero();
        assertThat(marks()).isEqualTo(1);
    }

    private long sleeping() throws SQLException {
        return store.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    }

    @Test
    void commit_thatNeverArrived_isDoneAgainWhereItMay() throws Exception {
        proxy.cutCommit(1);

        assertThat(database.write(LostAnswersTest::insert, MARKED)).isEqualTo(1);

        assertThat(proxy.cuts()).isEqualTo(1);
        assertThat(marks()).isEqualTo(1);
    }

    @Test
    void commit_thatNeverArrived_isToldWhereTheCallerDecides() throws Exception {
        proxy.cutCommit(1);

        var failure =
                catchThrowableOfType(BatchException.class, () -> database.writeOnce(LostAnswersTest::insert, MARKED));

        assertThat(failure.error()).isEqualTo(BatchError.REPOSITORY_UNAVAILABLE);
        assertThat(marks()).isZero();
    }

    @Test
    void commit_whoseDatabaseStaysAway_isUnknown() {
        proxy.cutAnswer("COMMIT", 1);
        ReadBack<Integer> away = session -> {
            throw new SQLException("away", "08006");
        };

        var failure = catchThrowableOfType(BatchException.class, () -> database.write(LostAnswersTest::insert, away));

        assertThat(failure.error()).isEqualTo(BatchError.COMMIT_OUTCOME_UNKNOWN);
    }

    @Test
    void interrupt_disturbsNoWriteAndStays() throws Exception {
        Thread.currentThread().interrupt();

        database.writeOne(LostAnswersTest::insert, MARKED);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(marks()).isEqualTo(1);
    }

    /** The pool asks its first connection, and no other, for its isolation. */
    @Test
    void pool_whoseFirstConnectionBreaksWhileItIsAskedForItsIsolation_worksOn() {
        proxy.cutAnswer("SHOW", 1);

        try (var fresh = new PostgresDatabase(database.settings())) {
            assertThat(fresh.writeOne(LostAnswersTest::insert, MARKED)).isEqualTo(1);
        }

        assertThat(proxy.cuts()).isEqualTo(1);
    }

    @Test
    void server_thatIsAway_isUnavailable() {
        proxy.goAway();
        var hasty = database.settings().withConnectTimeout(Duration.ofSeconds(1));

        try (var unreachable = new PostgresDatabase(hasty)) {
            var failure = catchThrowableOfType(
                    BatchException.class,
                    () -> unreachable.read(
                            session -> session.sql("SELECT 1 AS one").one(row -> Optional.of(row.number("one")))));

            assertThat(failure.error()).isEqualTo(BatchError.REPOSITORY_UNAVAILABLE);
        }
    }
}
