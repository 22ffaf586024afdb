package dev.weighlock.batch.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.launch.JobDefinitions;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.NodeSettings;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.testing.Await;
import dev.weighlock.batch.testkit.ChildJvm;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Owners that stand still with all their threads for three leases, each at another point of a chunk, while another node
 * takes over and finishes. Woken, none of them commits anything, and each goes on to run another job.
 */
class PauseTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    @TempDir
    Path folder;

    private final List<Owner> owners = new ArrayList<>();
    private final List<Database> targets = new ArrayList<>();

    /** @param items where the rows go; empty for a table of the repository's database */
    private record Owner(String name, ChildJvm child, Job job, Optional<ItemTable> items) {}

    @AfterEach
    void close() {
        owners.forEach(owner -> owner.child().close());
        targets.forEach(Database::close);
    }

    @Test
    void owner_pausedForThreeLeases_isReplacedAndCannotCommit() throws Exception {
        var place = CrashPlace.Postgres.create(folder.resolve("locks"));
        pauseInTarget(place, "before-guard", "chunk.in-transaction");
        pauseInTarget(place, "after-guard", "chunk.guarded");
        pauseInTarget(place, "between-chunks", "chunk.committed");
        pauseEnlisted(place, "enlisted-before", "chunk.in-transaction");
        pauseEnlisted(place, "enlisted-after", "chunk.guarded");
        long paused = System.nanoTime();

        try (var repository = place.open();
                var node = NodeRuntime.on(repository)
                        .settings(new NodeSettings(Duration.ofMillis(100), Duration.ofSeconds(1)))
                        .definitions(JobDefinitions.of(
                                owners.stream().map(Owner::job).toArray(Job[]::new)))
                        .start()) {
            for (var owner : owners) {
                Await.until(() -> last(repository, owner)
                        .filter(last -> last.attempt() > 1 && last.status() == BatchStatus.COMPLETED)
                        .isPresent());
            }
            Await.until(() -> node.launcher().running().isEmpty());
            var finished = owners.stream()
                    .map(owner -> last(repository, owner).orElseThrow())
                    .toList();
            Await.until(() -> System.nanoTime() - paused > LEASE.multipliedBy(3).toNanos());

            for (var owner : owners) {
                owner.child().resume();
                owner.child().letContinue();
                assertThat(owner.child().awaitExit()).as(owner.child().output()).isZero();
                assertThat(owner.child().output())
                        .as(owner.name())
                        .contains("GIVEN UP: ")
                        .contains(owner.name() + "-after ENDED COMPLETED");
            }
            for (int i = 0; i < owners.size(); i++) {
                assertThat(last(repository, owners.get(i))).contains(finished.get(i));
                assertWhole(place, owners.get(i));
                assertReplaced(repository, finished.get(i));
            }
        }
    }

    private void pauseInTarget(CrashPlace.Postgres place, String name, String point) throws SQLException {
        var items = ItemTable.create(EmbeddedDatabase.url(EmbeddedDatabase.createDatabase()));
        var target = Database.open(NumbersJob.settings(items.url()));
        targets.add(target);
        pause(place, name, point, items.url(), NumbersJob.into(target, name, 0), Optional.of(items));
    }

    private void pauseEnlisted(CrashPlace.Postgres place, String name, String point) throws SQLException {
        var table = name.replace('-', '_');
        new ItemTable(place.url()).run("CREATE TABLE " + table + " (id BIGINT NOT NULL)");
        pause(place, name, point, "table " + table, NumbersJob.enlisted(name, table), Optional.empty());
    }

    private void pause(
            CrashPlace.Postgres place, String name, String point, String target, Job job, Optional<ItemTable> items) {
        var at = folder.resolve(name);
        var arguments =
                List.of(place.withLease(Duration.ofMillis(200), LEASE).word(), name, target, at.toString(), "PT0S");
        var child = ChildJvm.startUntil(point, 3, PausedOwner.class, at, arguments);
        owners.add(new Owner(name, child, job, items));
        assertThat(child.awaitReached()).as(child.output()).isTrue();
        child.pause();
    }

    private static Optional<JobExecution> last(JobRepository repository, Owner owner) {
        return repository
                .instance(new JobName(owner.name()), JobParameters.NONE.identity())
                .flatMap(instance -> repository.lastExecution(instance.id()));
    }

    private static void assertWhole(CrashPlace.Postgres place, Owner owner) throws SQLException {
        if (owner.items().isPresent()) {
            owner.items().get().assertWhole(1);
        } else {
            var table = owner.name().replace('-', '_');
            new ItemTable(place.url()).assertEachOnce(table, NumbersJob.ITEMS);
        }
    }

    /** The attempt before the last one was the paused owner's. */
    private static void assertReplaced(JobRepository repository, JobExecution finished) {
        var attempts = repository
                .executions(Optional.of(finished.instance().name()), Optional.empty(), 10)
                .items();
        assertThat(attempts.get(1).status()).isEqualTo(BatchStatus.FAILED);
        assertThat(attempts.get(1).failure().orElseThrow().category()).isEqualTo(FailureCategory.OWNER_LOST);
        assertThat(attempts.get(1).ownerNode()).isNotEqualTo(finished.ownerNode());
    }
}
