package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.jobs.config.Configuration;
import dev.weighlock.jobs.database.ConfiguredDatabases;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.JobFileReader;
import dev.weighlock.jobs.parameter.DeclaredParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Runs job files on a node in memory, with queries on DuckDB and a SQLite file as the connection {@code shop}. */
final class JobBench implements AutoCloseable {
    private static final Duration LONG = Duration.ofMinutes(5);
    /** What {@code env:TOKEN} stands for in every test. */
    static final String TOKEN = "s3cret-tok3n";

    private static final Map<String, String> SECRETS = Map.of("env:TOKEN", TOKEN);

    final Path folder;
    final EngineQueries queries;
    final ConfiguredDatabases databases;
    final InMemoryJobRepository repository = new InMemoryJobRepository();
    final NodeRuntime node;
    private final JobResources resources;
    private final JobCompiler compiler;

    JobBench(Path home) throws IOException {
        this(home, resources -> resources.withShellAllowed(true));
    }

    /** @param adapted what the process lends to its jobs */
    JobBench(Path home, UnaryOperator<JobResources> adapted) throws IOException {
        folder = Files.createDirectories(home.toRealPath().resolve("job"));
        queries = new EngineQueries(home.toRealPath().resolve("spill"));
        Configuration plain = Configuration.defaults(folder);
        Configuration.Connection shop = new Configuration.Connection(
                "sqlite:shop.db", Optional.empty(), Optional.empty(), Optional.empty(), true);
        databases = new ConfiguredDatabases(
                new Configuration(
                        folder,
                        Optional.empty(),
                        plain.repository(),
                        Map.of("shop", shop),
                        plain.devices(),
                        plain.pools(),
                        List.of(),
                        plain.keepLogs(),
                        plain.shutdown()),
                Map.of());
        resources = adapted.apply(new JobResources(queries, databases));
        compiler = new JobCompiler(resources);
        node = NodeRuntime.on(repository)
                .secrets(reference -> SECRETS.getOrDefault(reference.reference(), "-"))
                .definitions(new StoredJobFiles(compiler))
                .start();
    }

    /** The steps of job files for a job in Java, in the same folder. */
    JobSteps javaSteps(String job) {
        return JobSteps.of(job, folder, resources);
    }

    Job compile(String text) {
        return compiler.compile(file(text));
    }

    JobFile file(String text) {
        write("job.yaml", text);
        return switch (JobFileReader.fromDisk(folder.resolve("job.yaml"))) {
            case JobFileReader.Read.Sound sound -> sound.file();
            case JobFileReader.Read.Refused refused -> throw new AssertionError(refused.errors());
        };
    }

    void write(String name, String text) {
        try {
            Files.writeString(folder.resolve(name), text);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    RunningJob launch(String text, Map<String, String> given) {
        DeclaredParameters.Resolved resolved = file(text).parameters().resolve(given, Clock.systemUTC());
        JobParameters parameters = switch (resolved) {
            case DeclaredParameters.Resolved.Values values -> values.parameters();
            case DeclaredParameters.Resolved.Refused refused -> throw new AssertionError(refused.problems());
        };
        return running(node.launcher().launch(compile(text), parameters));
    }

    JobExecution run(String text, Map<String, String> given) throws InterruptedException {
        return ended(launch(text, given));
    }

    JobExecution restart(JobExecution last) throws InterruptedException {
        return ended(running(node.launcher().restart(last.id(), LaunchOptions.DEFAULT)));
    }

    private static RunningJob running(LaunchResult result) {
        assertThat(result).isInstanceOf(LaunchResult.Launched.class);
        return ((LaunchResult.Launched) result).run();
    }

    static JobExecution ended(RunningJob run) throws InterruptedException {
        RunOutcome outcome = run.await(LONG).orElseThrow();
        assertThat(outcome).isInstanceOf(RunOutcome.Ended.class);
        return ((RunOutcome.Ended) outcome).execution();
    }

    StepExecution step(JobExecution execution, String name) {
        return repository.steps(execution.id()).stream()
                .filter(step -> step.name().value().equals(name))
                .findFirst()
                .orElseThrow();
    }

    List<PartitionExecution> partitions(JobExecution execution, String step) {
        return repository
                .partitions(step(execution, step).id(), Optional.empty(), 1_000)
                .items();
    }

    /** The steps that an execution began, each with its status, in the order of their names. */
    Map<String, BatchStatus> statuses(JobExecution execution) {
        Map<String, BatchStatus> statuses = new TreeMap<>();
        repository
                .steps(execution.id())
                .forEach(step -> statuses.put(step.name().value(), step.status()));
        return statuses;
    }

    String evidence(StepExecution step) {
        return repository.stepEvidence(step.id()).orElseThrow();
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = databases.named("shop").connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    List<String> query(String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = databases.named("shop").connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return rows;
    }

    @Override
    public void close() {
        node.close();
        databases.close();
        queries.close();
    }
}
