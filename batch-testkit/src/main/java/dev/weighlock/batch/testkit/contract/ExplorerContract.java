package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.repository.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Listings: newest first, paged by an opaque cursor. */
abstract class ExplorerContract extends RepositoryTest {
    private static <T> List<T> all(Function<Optional<String>, Page<T>> listing) {
        var items = new ArrayList<T>();
        Optional<String> cursor = Optional.empty();
        do {
            var page = listing.apply(cursor);
            items.addAll(page.items());
            cursor = page.next();
        } while (cursor.isPresent());
        return items;
    }

    @Test
    void executions_pageByPage_areNewestFirstAndComplete() {
        var launched = new ArrayList<JobExecution>();
        for (int day = 0; day < 7; day++) {
            launched.addFirst(launch(day % 2 == 0 ? "even" : "odd", "" + day));
        }

        assertThat(all(cursor -> repository.executions(Optional.empty(), cursor, 2)))
                .isEqualTo(launched);
        assertThat(all(cursor -> repository.executions(Optional.of(new JobName("odd")), cursor, 2)))
                .isEqualTo(launched.stream()
                        .filter(execution -> execution.instance().name().value().equals("odd"))
                        .toList());
        assertThat(repository.executions(Optional.of(new JobName("none")), Optional.empty(), 2))
                .isEqualTo(new Page<>(List.of(), Optional.empty()));
    }

    @Test
    void executions_lastPageExactlyFull_hasNoNext() {
        launch("job", "1");
        launch("job", "2");

        assertThat(repository.executions(Optional.empty(), Optional.empty(), 2).next())
                .isEmpty();
    }

    @Test
    void jobs_countInstancesAndExecutions() {
        var first = become(launch("a", "1"), BatchStatus.FAILED);
        launch("b", "1");
        launch("a", "2");
        var last = restart(first);

        var jobs = all(cursor -> repository.jobs(cursor, 1));

        assertThat(jobs).extracting(job -> job.job().value()).containsExactly("a", "b");
        assertThat(jobs.getFirst().instances()).isEqualTo(2);
        assertThat(jobs.getFirst().executions()).isEqualTo(3);
        assertThat(jobs.getFirst().last()).isEqualTo(last);
    }

    @Test
    void partitions_pageByPage_areInPlanOrder() {
        var step = partitionedStep(started());
        repository.plan(step, Samples.plan(5));

        assertThat(all(cursor -> repository.partitions(step.id(), cursor, 2)))
                .extracting(PartitionExecution::ordinal)
                .containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void cursor_ofAnotherListingOrMadeUp_isRefused() {
        launch("job", "1");
        launch("job", "2");
        var cursor =
                repository.executions(Optional.empty(), Optional.empty(), 1).next();

        assertRefused(BatchError.INVALID_PARAMETER, () -> repository.jobs(cursor, 1));
        assertRefused(
                BatchError.INVALID_PARAMETER, () -> repository.executions(Optional.empty(), Optional.of("made up"), 1));
        assertRefused(BatchError.INVALID_PARAMETER, () -> repository.executions(Optional.empty(), Optional.empty(), 0));
    }

    @Test
    void unknownIds_areEmpty() {
        assertThat(repository.execution(4711)).isEmpty();
        assertThat(repository.lastExecution(4711)).isEmpty();
        assertThat(repository.steps(4711)).isEmpty();
        assertThat(repository.stepEvidence(4711)).isEmpty();
        assertThat(repository.partitionEvidence(4711)).isEmpty();
        assertThat(repository.decisions(4711)).isEmpty();
        assertThat(repository.instance(new JobName("none"), "0".repeat(64))).isEmpty();
    }
}
