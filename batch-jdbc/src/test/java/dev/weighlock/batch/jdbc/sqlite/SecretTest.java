package dev.weighlock.batch.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.JobParameters.Parameter;
import dev.weighlock.batch.ParameterValue.SecretReference;
import dev.weighlock.batch.ParameterValue.StringValue;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.step.StepListener;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that tries to put a secret into every place that the Java API has, and a search through all that is left. */
class SecretTest {
    /** With characters that JSON writes in another way. */
    private static final String CANARY = "hunter2\"canary\\7";

    @TempDir
    Path folder;

    private final List<String> told = new CopyOnWriteArrayList<>();

    private static Tasklet leak(Leak leak) {
        return context -> {
            leak.into(context, context.secret("token"));
            return TaskletOutcome.COMPLETED;
        };
    }

    @FunctionalInterface
    private interface Leak {
        void into(StepContext context, String secret) throws Exception;
    }

    private static Map<String, Step> leaks() {
        var leaks = new LinkedHashMap<String, Step>();
        add(leaks, TaskletStep.of("message", leak((context, secret) -> {
            throw new IllegalStateException("login with " + secret);
        })));
        add(leaks, TaskletStep.of("cause", leak((context, secret) -> {
            throw new IOException("no answer", new SQLException("password=" + secret, "28P01"));
        })));
        add(leaks, TaskletStep.of("context", leak((context, secret) -> context.put("token", secret))));
        add(leaks, TaskletStep.of("key", leak((context, secret) -> context.put(secret, 1))));
        add(leaks, TaskletStep.of("nested", leak((context, secret) -> context.put("a", List.of(Map.of("b", secret))))));
        add(leaks, TaskletStep.of("job", leak((context, secret) -> context.putInJob("token", secret))));
        add(leaks, TaskletStep.of("evidence", leak((context, secret) -> context.evidence("[\"" + secret + "\"]"))));
        add(leaks, TaskletStep.of("exit", context -> TaskletOutcome.completedWith(context.secret("token"))));
        add(
                leaks,
                TaskletStep.of(
                        "unknown",
                        context -> new TaskletOutcome.CommitOutcomeUnknown("sent " + context.secret("token"))));
        add(
                leaks,
                TaskletStep.named("listener", context -> TaskletOutcome.COMPLETED)
                        .listener(new StepListener() {
                            @Override
                            public void afterStep(StepContext context, StepExecution step) {
                                throw new IllegalStateException("told " + context.secret("token"));
                            }
                        })
                        .build());
        add(
                leaks,
                TaskletStep.named("plan", context -> TaskletOutcome.COMPLETED)
                        .partitioned(Partitioning.by(
                                "1",
                                context ->
                                        List.of(new PlannedPartition(context.secret("token"), ExecutionContext.EMPTY))))
                        .build());
        add(
                leaks,
                ChunkStep.<String>copying("chunk", Leaking::new, Leaking::new).build());
        return leaks;
    }

    private static void add(Map<String, Step> leaks, Step step) {
        leaks.put(step.name().value(), step);
    }

    /** A reader and writer whose position is the secret. */
    private static final class Leaking implements ItemReader<String>, ItemWriter<String> {
        private final String secret;
        private boolean read;

        Leaking(StepContext context) {
            secret = context.secret("token");
        }

        @Override
        public void open(ExecutionContext context, StepContext step) {}

        @Override
        public @Nullable String read() {
            if (read) {
                return null;
            }
            read = true;
            return "item";
        }

        @Override
        public void write(List<String> items, ChunkContext chunk) {}

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("position", secret);
        }

        @Override
        public void committed() {}

        @Override
        public void rolledBack() {}

        @Override
        public void complete() {}

        @Override
        public void close() {}
    }

    @Test
    void secret_thatAJobPutsWhereverItCan_isFoundNowhere() throws Exception {
        var statuses = new LinkedHashMap<String, BatchStatus>();
        try (var repository = SqliteRepository.open(folder.resolve("repository.db"));
                var node = NodeRuntime.on(repository)
                        .secrets(reference -> CANARY)
                        .progress(event -> told.add(event.toString()))
                        .start()) {
            for (var leak : leaks().entrySet()) {
                var ended = run(node, leak.getKey(), leak.getValue(), parameters());
                statuses.put(leak.getKey(), ended.status());
                told.add(ended.toString());
            }
        }

        assertThat(statuses)
                .hasSize(12)
                .containsEntry("listener", BatchStatus.COMPLETED)
                .containsEntry("unknown", BatchStatus.UNKNOWN)
                .containsEntry("chunk", BatchStatus.FAILED)
                .containsEntry("context", BatchStatus.FAILED);
        assertThat(found()).isEmpty();
        // What hid it says so, so the tries have come that far.
        assertThat(String.join("\n", told)).contains("login with ***", "password=***", "secret \"token\"");
    }

    @Test
    void plantedLeak_isFoundByTheSameSearch() throws Exception {
        try (var repository = SqliteRepository.open(folder.resolve("repository.db"));
                var node = NodeRuntime.on(repository)
                        .progress(event -> told.add(event.toString()))
                        .start()) {
            var planted = JobParameters.NONE.with("token", new StringValue(CANARY));
            run(node, "planted", TaskletStep.of("a", context -> TaskletOutcome.COMPLETED), planted);
        }

        assertThat(found()).contains("repository.db", "progress events");
    }

    private static JobParameters parameters() {
        return JobParameters.NONE.with("token", new Parameter(new SecretReference("env:TOKEN"), false));
    }

    private static JobExecution run(NodeRuntime node, String name, Step step, JobParameters parameters)
            throws InterruptedException {
        var result = node.launcher().launch(Job.named(name).step(step).build(), parameters);
        var outcome = ((LaunchResult.Launched) result)
                .run()
                .await(Duration.ofMinutes(5))
                .orElseThrow();
        return ((RunOutcome.Ended) outcome).execution();
    }

    /** Where the canary, or it in the letters of JSON, stands. */
    private List<String> found() throws IOException {
        var found = new ArrayList<String>();
        try (var files = Files.walk(folder)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                if (holds(Files.readString(file, StandardCharsets.ISO_8859_1))) {
                    found.add(file.getFileName().toString());
                }
            }
        }
        if (holds(String.join("\n", told))) {
            found.add("progress events");
        }
        return found;
    }

    private static boolean holds(String text) {
        return text.contains("hunter2") || text.contains("canary");
    }
}
