package dev.weighlock.app.view;

import dev.weighlock.app.terminal.Style;
import dev.weighlock.app.terminal.Table;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.repository.JobRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One execution in full, as it was when it was read. */
public record ExecutionView(JobExecution execution, List<StepView> steps, History history) {
    /** Reads the execution's steps, and of each partitioned one up to {@code mostPartitions}. */
    public static ExecutionView read(JobRepository repository, JobExecution execution, int mostPartitions) {
        List<StepExecution> own = repository.steps(execution.id());
        return new ExecutionView(
                execution,
                own.stream()
                        .map(step -> StepView.read(repository, step, mostPartitions))
                        .toList(),
                History.read(repository, execution, own));
    }

    public Map<String, @Nullable Object> document() {
        Map<String, @Nullable Object> document = Documents.labelled("weighlock.execution/1");
        document.putAll(Documents.execution(execution));
        document.put("steps", steps.stream().map(StepView::document).toList());
        history.addTo(document);
        return document;
    }

    /** The accounts of all queries, in the order of steps and partitions. */
    public List<QueryAccount> queries() {
        return steps.stream().flatMap(step -> step.queries().stream()).toList();
    }

    public void print(Terminal terminal, Instant now) {
        printHead(terminal, now);
        history.print(terminal, now);
        printSteps(terminal, now);
        history.printFlow(terminal);
        steps.stream().filter(step -> step.totals().isPresent()).forEach(step -> printPartitions(terminal, step, now));
        if (!queries().isEmpty()) {
            terminal.line("");
            QueryAccount.table(queries()).print(terminal);
        }
        history.printAudit(terminal);
    }

    private void printHead(Terminal terminal, Instant now) {
        String status = terminal.styled(Style.ofStatus(execution.status().name()), Phrases.status(execution));
        terminal.line("execution " + execution.id() + " of "
                + execution.instance().name().value() + ", attempt " + execution.attempt() + ": " + status);
        String parameters = Phrases.parameters(execution.parameters());
        if (!parameters.isEmpty()) {
            terminal.line("  parameters  " + parameters);
        }
        terminal.line("  began       " + Units.local(execution.createdAt()) + ", took "
                + Phrases.took(Optional.of(execution.createdAt()), execution.endedAt(), now));
        execution.stop().request().ifPresent(request -> terminal.line("  stop        " + stop(request)));
        execution
                .failure()
                .ifPresent(failure -> terminal.line("  failure     " + failure.category() + " (" + failure.id() + ")"));
        execution.diagnostics().ifPresent(text -> terminal.line("              " + text.strip()));
    }

    private String stop(StopRequest request) {
        List<String> parts = new ArrayList<>();
        parts.add("asked for by " + request.actor() + " at " + Units.local(request.requestedAt()));
        addAfter(parts, "seen", request, execution.stop().seenAt());
        addAfter(parts, "last commit", request, execution.stop().lastCommitAt());
        addAfter(parts, "over", request, execution.endedAt());
        return String.join(", ", parts);
    }

    private static void addAfter(List<String> parts, String what, StopRequest request, Optional<Instant> instant) {
        instant.ifPresent(at -> {
            Duration after = Duration.between(request.requestedAt(), at);
            parts.add(what + " after " + Units.duration(after.isNegative() ? Duration.ZERO : after));
        });
    }

    private void printSteps(Terminal terminal, Instant now) {
        if (steps.isEmpty() && history.carriedOver().isEmpty()) {
            return;
        }
        terminal.line("");
        Table table = new Table("STEP", "STATUS", "#TOOK", "COUNTS");
        for (StepView view : steps) {
            StepExecution step = view.step();
            String stopped = step.stopTiming().map(timing -> " " + timing).orElse("");
            table.row(
                    step.name().value(),
                    step.status().name() + stopped,
                    Phrases.took(Optional.of(step.startedAt()), step.endedAt(), now),
                    Phrases.counts(view.counts()));
        }
        history.addTo(table);
        table.print(terminal);
        for (StepView view : steps) {
            view.step()
                    .failure()
                    .ifPresent(failure -> printFailure(
                            terminal, view.step(), failure.category().name()));
        }
    }

    private static void printFailure(Terminal terminal, StepExecution step, String category) {
        terminal.line("  " + step.name().value() + ": " + category
                + step.diagnostics().map(text -> ": " + text.strip()).orElse(""));
    }

    private static void printPartitions(Terminal terminal, StepView view, Instant now) {
        terminal.line("");
        String counts = view.totals().orElseThrow().byStatus().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getValue() + " " + entry.getKey().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        terminal.line("partitions of " + view.step().name().value() + ": " + counts);
        Table table = new Table("KEY", "STATUS", "#TOOK", "COUNTS");
        view.partitions()
                .forEach(partition -> table.row(
                        partition.key(),
                        partition.carriedOver()
                                ? "COMPLETED before"
                                : partition.status().name(),
                        partition.status() == PartitionStatus.PLANNED
                                ? Phrases.NONE
                                : Phrases.took(partition.startedAt(), partition.endedAt(), now),
                        Phrases.counts(partition.counts())));
        table.print(terminal);
        if (view.morePartitions()) {
            terminal.line("… more with --all");
        }
    }
}
