package dev.weighlock.batch.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testkit.ChildJvm;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contexts as another process, and a broken one, leave them. */
class StoredContextTest {
    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("repository.db");
    }

    private static Map<String, @Nullable Object> values() {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("int", 5);
        values.put("long", 5L);
        values.put("beyond double", (1L << 53) + 1);
        values.put("least", Long.MIN_VALUE);
        values.put("decimal", new BigDecimal("0.10"));
        values.put("instant", Instant.parse("2026-11-30T10:15:30.123456789Z"));
        values.put("nested", Map.of("list", List.of(1, 2L, Map.of()), "empty", List.of()));
        values.put("null", null);
        return values;
    }

    private static Job job() {
        return Job.named("contexts")
                .step(TaskletStep.of("a", context -> {
                    values().forEach(context::put);
                    values().forEach(context::putInJob);
                    return TaskletOutcome.COMPLETED;
                }))
                .build();
    }

    /** The other process. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws Exception {
            try (var repository = SqliteRepository.open(Path.of(arguments[0]))) {
                run(repository);
            }
        }
    }

    private static JobExecution run(JobRepository repository) throws InterruptedException {
        try (var node = NodeRuntime.on(repository).start()) {
            var run = ((LaunchResult.Launched) node.launcher().launch(job(), JobParameters.NONE)).run();
            return ((RunOutcome.Ended) run.await(Duration.ofMinutes(5)).orElseThrow()).execution();
        }
    }

    @Test
    void context_ofAnotherProcess_isEqualInValueAndType() {
        try (var child = ChildJvm.start(Writer.class, folder.resolve("child"), List.of(file().toString()))) {
            assertThat(child.awaitExit()).as(child.output()).isZero();
        }
        try (var repository = SqliteRepository.open(file())) {
            var execution = repository
                    .executions(Optional.empty(), Optional.empty(), 1)
                    .items()
                    .getFirst();
            var step = repository.steps(execution.id()).getFirst();

            assertThat(execution.status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(execution.context()).isEqualTo(ExecutionContext.of(values()));
            assertThat(new ArrayList<>(execution.context().asMap().values()))
                    .isEqualTo(new ArrayList<>(values().values()));
            values().forEach((key, value) ->
                    assertThat(step.context().asMap().get(key)).isEqualTo(value));
        }
    }

    @Test
    void context_ofUnknownFormat_namesItsKeyAndLeavesTheRestListable() throws Exception {
        try (var repository = SqliteRepository.open(file())) {
            run(repository);
            try (var database = new SqliteDatabase(file(), Clock.systemUTC(), Duration.ofSeconds(5));
                    var connection = database.connect()) {
                SqliteDatabase.run(connection, """
                        UPDATE step_execution SET context = '{"format":1,"values":{"since":{"uuid":"x"}}}'
                        """);
                SqliteDatabase.run(connection, "UPDATE job_execution SET context = 'nonsense'");
            }

            var listed = repository
                    .executions(Optional.empty(), Optional.empty(), 10)
                    .items();
            var step = repository.steps(listed.getFirst().id()).getFirst();

            assertThat(listed).hasSize(1);
            assertThat(listed.getFirst().status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(repository.jobs(Optional.empty(), 10).items()).hasSize(1);
            assertThat(step.status()).isEqualTo(BatchStatus.COMPLETED);
            assertThatThrownBy(() -> step.context().value("int")).hasMessageContaining("/since");
            assertThatThrownBy(() -> listed.getFirst().context().asMap()).hasMessageContaining("JSON");
        }
    }
}
