package dev.weighlock.batch.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.testkit.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes of eight threads launch one instance at once, round after round. */
class LaunchRaceTest {
    @TempDir
    Path folder;

    @Test
    void launches_ofTwoProcesses_runOnceARound() throws Exception {
        race(50);
    }

    @Tag("long")
    @Test
    void launches_ofTwoProcessesForLong_runOnceARound() throws Exception {
        race(200);
    }

    private void race(int rounds) throws Exception {
        var place = CrashPlace.Postgres.create(folder.resolve("locks"));
        var book = new ItemTable(place.url());
        book.run("CREATE TABLE arrival (process INT, round INT)");
        book.run("CREATE TABLE answer (round INT, answer TEXT, execution BIGINT)");
        try (var other =
                ChildJvm.start(LaunchRacer.class, folder.resolve("other"), List.of(place.word(), "2", "" + rounds))) {
            LaunchRacer.race(place, 1, rounds);
            assertThat(other.awaitExit()).as(other.output()).isZero();
        }

        assertThat(book.number("SELECT count(*) FROM answer")).isEqualTo(2L * LaunchRacer.THREADS * rounds);
        assertThat(book.number("SELECT count(*) FROM answer WHERE answer = 'launched'"))
                .isEqualTo(rounds);
        assertThat(book.number("SELECT count(DISTINCT round) FROM answer WHERE answer = 'launched'"))
                .isEqualTo(rounds);
        assertThat(book.number("SELECT count(*) FROM answer WHERE answer NOT IN ('launched', 'running', 'complete')"))
                .isZero();
        // Every loser names the one that runs or ran.
        assertThat(book.number("SELECT count(*) FROM answer a JOIN answer won USING (round)"
                        + " WHERE won.answer = 'launched' AND a.execution <> won.execution"))
                .isZero();
        assertThat(book.number("SELECT count(*) FROM weighlock.job_execution WHERE status = 'COMPLETED'"))
                .isEqualTo(rounds);
        assertThat(book.number("SELECT count(*) FROM weighlock.job_execution")).isEqualTo(rounds);
        assertThat(book.number("SELECT count(*) FROM weighlock.step_execution")).isEqualTo(rounds);
    }
}
