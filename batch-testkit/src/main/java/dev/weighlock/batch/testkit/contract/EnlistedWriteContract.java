package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.EnlistedWriteException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows of the user commit together with the repository's write, or not at all. */
abstract class EnlistedWriteContract extends RepositoryTest {
    private static final EnlistedWrite INSERT = connection -> execute(connection, "INSERT INTO target VALUES (1)");
    private static final ChunkProgress PROGRESS = new ChunkProgress(Samples.counts(1, 1), Samples.CONTEXT);

    @BeforeEach
    void createTarget() {
        var step = step(become(launch("setup", "1"), BatchStatus.STARTED));
        repository.commitChunk(step, PROGRESS, connection -> execute(connection, "CREATE TABLE target (id INTEGER)"));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private long rows() {
        var rows = new AtomicLong();
        repository.commitChunk(
                step(become(launch("count", "" + System.nanoTime()), BatchStatus.STARTED)), PROGRESS, connection -> {
                    try (var statement = connection.createStatement();
                            var result = statement.executeQuery("SELECT count(*) FROM target")) {
                        result.next();
                        rows.set(result.getLong(1));
                    }
                });
        return rows.get();
    }

    @Test
    void enlistedWrite_commitsWithChunkAndStep() {
        var step = step(started());

        var committed = repository.commitChunk(step, PROGRESS, INSERT);
        repository.update(committed, Samples.stepTo(BatchStatus.COMPLETED), INSERT);

        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void enlistedWrite_commitsWithAPartitionsEndAndTheNextClaim() {
        var step = partitionedStep(started());
        repository.plan(step, Samples.plan(3));
        var claimed = repository.claim(step, 1).getFirst();
        var complete = Samples.partitionTo(PartitionStatus.COMPLETED, Samples.counts(1, 1));

        assertThatThrownBy(() -> repository.updateAndClaim(
                        step,
                        claimed,
                        complete,
                        connection -> execute(connection, "INSERT INTO missing VALUES (1)"),
                        () -> 2))
                .isInstanceOf(EnlistedWriteException.class);
        var turn = repository.updateAndClaim(step, claimed, complete, INSERT, () -> 2);

        assertThat(turn.claimed()).hasSize(2).allMatch(partition -> partition.claim() == 1);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void enlistedWrite_whatItFindsOut_commitsAsProgress() {
        var step = step(started());
        var written = new AtomicLong();

        var committed = repository.commitChunk(
                step,
                () -> new ChunkProgress(Samples.counts(written.get(), written.get()), Samples.CONTEXT),
                connection -> {
                    INSERT.write(connection);
                    written.set(3);
                });

        assertThat(committed.counts()).isEqualTo(Samples.counts(3, 3));
        assertThat(repository.lastStep(step.instanceId(), LOAD)).contains(committed);
    }

    @Test
    void enlistedWrite_ofAStaleWriter_isRolledBack() {
        var step = step(started());
        repository.commitChunk(step, PROGRESS, INSERT);

        assertRefused(BatchError.STALE_VERSION, () -> repository.commitChunk(step, PROGRESS, INSERT));

        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void enlistedWrite_thatFails_changesNothing() {
        var step = step(started());
        EnlistedWrite failing = connection -> {
            INSERT.write(connection);
            execute(connection, "INSERT INTO missing VALUES (1)");
        };

        assertThatThrownBy(() -> repository.commitChunk(step, PROGRESS, failing))
                .isInstanceOf(EnlistedWriteException.class)
                .hasCauseInstanceOf(SQLException.class);

        assertThat(rows()).isZero();
        assertThat(repository.lastStep(step.instanceId(), LOAD)).contains(step);
    }

    @Test
    void enlistedWrite_connection_isInATransaction() {
        var step = step(started());

        repository.commitChunk(
                step,
                PROGRESS,
                connection -> assertThat(connection.getAutoCommit()).isFalse());
    }
}
