package dev.weighlock.batch.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ConnectionNeedTest {
    private final InMemoryJobRepository stored = new InMemoryJobRepository();

    private static TaskletStep.Builder step(String name) {
        return TaskletStep.named(name, context -> TaskletOutcome.COMPLETED);
    }

    private static Step partitioned(String name, int workers) {
        return step(name)
                .partitioned(Partitioning.keys(List.of("a", "b")).withWorkers(workers))
                .build();
    }

    private static Job split(int workers) {
        List<List<Step>> branches = List.of(
                List.of(step("plain").build(), partitioned("wide", 4)),
                List.of(step("cursor").withCursor().build()),
                List.of(step("other").build()));
        return Job.named("split")
                .split("all", branches, "join", workers, OnFailure.CANCEL)
                .step(step("join").build())
                .build();
    }

    /** The repository with a pool of so many connections. */
    private JobRepository pool(int connections) {
        return (JobRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("connections")) {
                        return OptionalInt.of(connections);
                    }
                    try {
                        return method.invoke(stored, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void need_isTheSumOverChildrenAndOneForWhoeverWaits() {
        assertThat(ConnectionNeed.of(Job.named("j").step(step("s").build()).build()))
                .isEqualTo(2);
        assertThat(ConnectionNeed.of(
                        Job.named("j").step(step("s").withCursor().build()).build()))
                .isEqualTo(3);
        assertThat(ConnectionNeed.of(Job.named("j").step(partitioned("p", 16)).build()))
                .isEqualTo(17);
        assertThat(ConnectionNeed.of(split(3))).isEqualTo((4 + 1) + 2 + 1 + 1);
        assertThat(ConnectionNeed.of(split(1))).isEqualTo((4 + 1) + 1);
    }

    @Test
    void launch_withTooFewConnections_isRefusedBeforeAnyRow() {
        try (var node = NodeRuntime.on(pool(8)).start()) {
            var result = node.launcher().launch(split(3), JobParameters.NONE);

            assertThat(result).isEqualTo(new LaunchResult.TooFewConnections(9, 8));
            assertThat(stored.executions(Optional.empty(), Optional.empty(), 10).items())
                    .isEmpty();
            assertThat(stored.instance(split(3).name(), JobParameters.NONE.identity()))
                    .isEmpty();
        }
    }

    @Test
    void launch_withExactlyEnough_runs() throws Exception {
        try (var node = NodeRuntime.on(pool(9)).start()) {
            var result = node.launcher().launch(split(3), JobParameters.NONE);

            assertThat(result).isInstanceOf(LaunchResult.Launched.class);
            ((LaunchResult.Launched) result).run().await();
        }
    }
}
