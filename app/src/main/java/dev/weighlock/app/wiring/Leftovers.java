package dev.weighlock.app.wiring;

import dev.weighlock.app.log.LogFiles;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.operate.PurgeEffects;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.PurgedInstance;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.compile.StoredJobFiles;
import dev.weighlock.jobs.database.ConfiguredDatabases;
import dev.weighlock.jobs.file.ChunkKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Removes the logs and checkpoints of instances that a purge removes; remembers what it could not. For one thread. */
public final class Leftovers implements PurgeEffects, AutoCloseable {
    private final JobRepository repository;
    private final Path logFolder;
    private final Set<String> configured;
    private final ConfiguredDatabases databases;
    private final UUID repositoryId;
    private final Map<String, Set<String>> connectionsOf = new HashMap<>();
    private final SortedSet<String> left = new TreeSet<>();
    private long logs;
    private long checkpoints;

    public Leftovers(JobRepository repository, Workspace workspace) {
        this.repository = repository;
        this.repositoryId = repository.id();
        this.logFolder = workspace.repository().logFolder();
        this.configured = workspace.settings().connections().keySet();
        this.databases = new ConfiguredDatabases(workspace.settings(), workspace.environment());
    }

    @Override
    public void removing(List<PurgedInstance> instances) {
        Map<String, List<Long>> byConnection = new HashMap<>();
        for (PurgedInstance instance : instances) {
            instance.definitions().stream()
                    .flatMap(digest -> connectionsOf.computeIfAbsent(digest, this::connections).stream())
                    .distinct()
                    .forEach(name -> byConnection
                            .computeIfAbsent(name, key -> new ArrayList<>())
                            .add(instance.instanceId()));
        }
        byConnection.forEach(this::removeCheckpoints);
        instances.stream().flatMap(instance -> instance.executions().stream()).forEach(this::removeLog);
    }

    /** The connections that a job's chunk steps write to; none are known of a job in Java. */
    private Set<String> connections(String digest) {
        return repository
                .definition(digest)
                .flatMap(StoredJobFiles::file)
                .map(file -> file.steps().stream()
                        .flatMap(step -> step.work() instanceof ChunkKeys chunk
                                ? Stream.of(chunk.write().connection())
                                : Stream.empty())
                        .collect(Collectors.toSet()))
                .orElse(Set.of());
    }

    private void removeCheckpoints(String connection, List<Long> instances) {
        if (!configured.contains(connection)) {
            left.add("checkpoints in '" + connection + "': it is not among the connections of weighlock.yaml");
            return;
        }
        try {
            checkpoints += databases.named(connection).removeCheckpoints(repositoryId, instances);
        } catch (BatchException | StepFailure failure) {
            left.add("checkpoints in '" + connection + "': " + failure.getMessage());
        }
    }

    private void removeLog(long executionId) {
        Path log = LogFiles.of(logFolder, executionId);
        try {
            if (Files.deleteIfExists(log)) {
                logs++;
            }
        } catch (IOException failure) {
            left.add("the log " + log + ": " + failure.getMessage());
        }
    }

    public long logs() {
        return logs;
    }

    public long checkpoints() {
        return checkpoints;
    }

    /** What is still there, and why. */
    public List<String> left() {
        return List.copyOf(left);
    }

    @Override
    public void close() {
        databases.close();
    }
}
