package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testing.Await;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What the last step enlists may take long: a stop reaches it. */
class EnlistedEndTest {
    @Test
    void stopDuringTheEnlistedWrite_ofTheLastStep_isStoredAndToldMeanwhile() throws Exception {
        var writing = new AtomicBoolean();
        var job = Job.named("enlisted")
                .step(TaskletStep.of("summary", context -> {
                    context.enlist(connection -> {
                        writing.set(true);
                        Await.until(context.stopToken()::isStopRequested);
                        try (var insert = connection.prepareStatement("INSERT INTO summary VALUES (1)")) {
                            insert.executeUpdate();
                        }
                    });
                    return TaskletOutcome.COMPLETED;
                }))
                .build();
        try (var store = TestStore.onNewest();
                var repository = store.open();
                var node = NodeRuntime.on(repository).start()) {
            store.run("CREATE TABLE summary (id BIGINT)");
            var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();
            Await.until(writing::get);

            run.stop();

            var ended = ((RunOutcome.Ended) run.await()).execution();
            assertThat(ended.status()).isEqualTo(BatchStatus.STOPPED);
            assertThat(repository.steps(ended.id()).getFirst().status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(store.number("SELECT count(*) FROM summary")).isEqualTo(1);
        }
    }
}
