package dev.weighlock.batch.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What is begun by the commit of a launch. */
class FirstStepTest {
    private final List<LaunchRequest> launched = new CopyOnWriteArrayList<>();

    private JobRepository watched() {
        var stored = new InMemoryJobRepository();
        return (JobRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("createExecution")) {
                        launched.add((LaunchRequest) arguments[0]);
                    }
                    try {
                        return method.invoke(stored, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                });
    }

    private static TaskletStep.Builder step(String name) {
        return TaskletStep.named(name, context -> TaskletOutcome.COMPLETED);
    }

    @Test
    void step_withAStartLimit_beginsOnlyWhenItsBodyIsNext() throws Exception {
        try (var repository = watched();
                var node = NodeRuntime.on(repository).start()) {
            for (var step : List.of(step("free"), step("limited").startLimit(2))) {
                var built = step.build();
                var job = Job.named("run-" + built.name()).step(built).build();
                ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE))
                        .run()
                        .await();
            }
        }

        assertThat(launched).extracting(request -> request.first().isPresent()).containsExactly(true, false);
    }
}
