package dev.weighlock.app.view;

import dev.weighlock.app.terminal.Table;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.repository.AuditRecord;
import dev.weighlock.batch.repository.Hold;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.QueuedLaunch;
import dev.weighlock.jobs.compile.StoredJobFiles;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.SplitKeys;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What stands around an execution's own steps: the ways its flow took, steps that an earlier attempt completed, who did
 * what to it, its hold, and the launches that wait for it to end.
 *
 * @param kinds what each node of the flow is, as far as its job file tells
 * @param waiting the launches of its job that wait, while it is active
 */
record History(
        List<FlowDecision> decisions,
        Map<String, String> kinds,
        List<StepExecution> carriedOver,
        List<AuditRecord> audit,
        Optional<Hold> hold,
        List<QueuedLaunch> waiting) {
    private static final int MOST = 1_000;

    static History read(JobRepository repository, JobExecution execution, List<StepExecution> own) {
        List<FlowDecision> decisions = repository.decisions(execution.instance().id());
        Map<String, String> kinds = kinds(repository, execution);
        return new History(
                decisions,
                kinds,
                carriedOver(repository, execution, decisions, kinds.keySet(), own),
                repository.auditTrail(execution.id(), MOST),
                repository.hold(execution.instance().id()),
                execution.status().isActive()
                        ? repository.queuedLaunches(
                                Optional.of(execution.instance().name()), MOST)
                        : List.of());
    }

    private static Map<String, String> kinds(JobRepository repository, JobExecution execution) {
        Map<String, String> kinds = new LinkedHashMap<>();
        repository
                .definition(execution.definitionDigest())
                .flatMap(StoredJobFiles::file)
                .ifPresent(file -> file.steps().forEach(step -> kinds.put(step.id(), kind(step))));
        return kinds;
    }

    private static String kind(FileStep step) {
        return switch (step.work()) {
            case DecisionKeys _ -> "decision";
            case SplitKeys _ -> "split";
            default -> "step";
        };
    }

    /** Steps that completed in an earlier attempt and were not run again in this one. */
    private static List<StepExecution> carriedOver(
            JobRepository repository,
            JobExecution execution,
            List<FlowDecision> decisions,
            Set<String> named,
            List<StepExecution> own) {
        if (execution.attempt() == 1) {
            return List.of();
        }
        Set<String> nodes = new LinkedHashSet<>(named);
        decisions.forEach(decision -> nodes.add(decision.node()));
        Set<String> ran = own.stream().map(step -> step.name().value()).collect(Collectors.toSet());
        return nodes.stream()
                .filter(node -> !ran.contains(node))
                .flatMap(node -> earlier(repository, execution, node))
                .toList();
    }

    private static Stream<StepExecution> earlier(JobRepository repository, JobExecution execution, String node) {
        return repository
                .lastStep(execution.instance().id(), new StepName(node))
                .filter(step -> step.executionId() < execution.id())
                .filter(step -> step.status() == BatchStatus.COMPLETED)
                .stream();
    }

    void addTo(Map<String, @Nullable Object> document) {
        document.put("flow", decisions.stream().map(this::decision).toList());
        document.put(
                "carried_over",
                carriedOver.stream()
                        .map(step -> {
                            Map<String, @Nullable Object> values = Documents.step(step);
                            values.put("execution_id", step.executionId());
                            return values;
                        })
                        .toList());
        document.put("hold", hold.isPresent() ? Documents.hold(hold) : null);
        document.put("audit", audit.stream().map(Documents::audit).toList());
        document.put("waiting", waiting.stream().map(Documents::request).toList());
    }

    private Map<String, @Nullable Object> decision(FlowDecision decision) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("node", decision.node());
        values.put("kind", kinds.get(decision.node()));
        values.put("exit_code", decision.exitCode());
        values.put("target", decision.target());
        return values;
    }

    /** Rows for the table of steps: NAME, STATUS, TOOK, COUNTS. */
    void addTo(Table steps) {
        carriedOver.forEach(step -> steps.row(
                step.name().value(),
                "COMPLETED before, in execution " + step.executionId(),
                Phrases.NONE,
                Phrases.counts(step.counts())));
    }

    void print(Terminal terminal, Instant now) {
        hold.ifPresent(one -> terminal.line("  held        by " + one.actor() + " since " + Units.local(one.since())
                + (one.reason().isBlank() ? "" : ": " + one.reason())));
        if (!waiting.isEmpty()) {
            terminal.line("");
            QueueView.print(terminal, waiting, now);
        }
    }

    void printFlow(Terminal terminal) {
        if (decisions.isEmpty()) {
            return;
        }
        terminal.line("");
        Table table = new Table("FLOW", "KIND", "EXIT CODE", "LEADS TO");
        decisions.forEach(decision -> table.row(
                decision.node(), kinds.getOrDefault(decision.node(), ""), decision.exitCode(), decision.target()));
        table.print(terminal);
    }

    void printAudit(Terminal terminal) {
        if (audit.isEmpty()) {
            return;
        }
        terminal.line("");
        Table table = new Table("AUDIT", "WHAT", "BY", "WHY");
        audit.forEach(record -> table.row(
                Units.local(record.at()),
                record.entry().action(),
                record.entry().actor(),
                record.entry().detail()));
        table.print(terminal);
    }
}
