package dev.weighlock.batch.launch;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.Manifest;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.JobRepository;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What differs between a definition and that of an instance's last attempt, and whether a restart may go on with it. */
final class DefinitionChange {
    private static final String JOB = "job";

    private final List<String> refused = new ArrayList<>();
    private final List<AuditEntry> audit = new ArrayList<>();

    DefinitionChange(
            JobRepository repository, JobDefinitions definitions, Job job, JobExecution last, LaunchOptions options) {
        if (job.fingerprint().equals(last.fingerprint())) {
            return;
        }
        if (job.upgradesFrom().contains(last.fingerprint())) {
            audit.add(new AuditEntry("upgrade", options.actor(), last.fingerprint() + " to " + job.fingerprint()));
            return;
        }
        for (var node : differences(repository, definitions, job, last)) {
            if (isAccepted(repository, last, node, options)) {
                audit.add(new AuditEntry("accept-change", options.actor(), "the step \"" + node + "\""));
            } else {
                refused.add(node);
            }
        }
    }

    private static List<String> differences(
            JobRepository repository, JobDefinitions definitions, Job job, JobExecution last) {
        var changed = repository
                .definition(last.definitionDigest())
                .flatMap(stored -> manifest(stored, definitions))
                .map(job.manifest()::differences)
                .orElse(List.of());
        // An old definition that nobody can read, or one that no longer gives the fingerprint it gave.
        return changed.isEmpty()
                ? List.of(JOB)
                : changed.stream().map(id -> id.isEmpty() ? JOB : id).toList();
    }

    private static Optional<Manifest> manifest(StoredDefinition stored, JobDefinitions definitions) {
        return stored.format().equals("java/1")
                ? Optional.of(Manifest.parse(stored.content()))
                : definitions.find(stored).map(Job::manifest);
    }

    private static boolean isAccepted(JobRepository repository, JobExecution last, String node, LaunchOptions options) {
        return options.acceptedChanges().stream().anyMatch(step -> step.value().equals(node))
                && repository
                        .lastStep(last.instance().id(), new StepName(node))
                        .filter(step -> step.status() == BatchStatus.COMPLETED)
                        .isEmpty();
    }

    /** Changed nodes that are not accepted. */
    List<String> refused() {
        return refused;
    }

    List<AuditEntry> audit() {
        return audit;
    }
}
