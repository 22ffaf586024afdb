package dev.weighlock.batch.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shutdown that comes between the creation of an execution and its run stops that run too. */
@Timeout(300)
class LateRunTest {
    private final InMemoryJobRepository repository = new InMemoryJobRepository();
    private final AtomicReference<Runnable> afterCreation = new AtomicReference<>(() -> {});

    @Test
    void shutdown_whileALaunchIsUnderWay_stopsWhatItBegins() throws Exception {
        var job = Job.named("late")
                .step(TaskletStep.of("wait", context -> {
                    var _ = context.stopToken().await(Duration.ofHours(1));
                    return TaskletOutcome.STOPPED;
                }))
                .build();
        try (var node = NodeRuntime.on(telling()).start()) {
            afterCreation.set(node::requestShutdown);

            var result = node.launcher().launch(job, JobParameters.NONE);

            assertThat(result)
                    .isInstanceOfSatisfying(
                            LaunchResult.Launched.class,
                            launched -> assertThat(node.drain().tasks()).isEqualTo(new DrainResult.Complete(0)));
            var outcome = ((LaunchResult.Launched) result).run().await();
            assertThat(outcome).isInstanceOfSatisfying(RunOutcome.Ended.class, ended -> {
                assertThat(ended.execution().status()).isEqualTo(BatchStatus.STOPPED);
                assertThat(ended.execution().stop().request().orElseThrow().actor())
                        .startsWith("the shutdown of process");
            });
        }
    }

    /** The repository, which tells when it has created an execution. */
    private JobRepository telling() {
        return (JobRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                    try {
                        var answer = method.invoke(repository, arguments);
                        if (method.getName().equals("createExecution")) {
                            afterCreation.get().run();
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
