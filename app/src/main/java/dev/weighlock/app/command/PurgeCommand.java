package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Table;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.app.view.Documents;
import dev.weighlock.app.wiring.Leftovers;
import dev.weighlock.batch.operate.Acted;
import dev.weighlock.batch.operate.Purge;
import dev.weighlock.batch.operate.PurgePlan;
import dev.weighlock.batch.operate.PurgeResult;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.PurgeCandidate;
import dev.weighlock.batch.repository.PurgeRule;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "purge",
        header = "Removes old instances with everything recorded of them.",
        description = {
            "Without --apply it only says what would go, and the digest of that plan. What runs, is held, or has an",
            "unknown outcome stays. An instance goes whole: executions, steps, evidence, audit, logs, and its checkpoints in",
            "the databases that weighlock.yaml names. A purged instance that is run again begins anew."
        })
final class PurgeCommand extends RepositoryCommand {
    @Option(
            names = "--older-than",
            paramLabel = "TIME",
            converter = AgeConverter.class,
            defaultValue = "30d",
            description = "Only instances that ended longer ago, such as 12h or 90d; 30d by default.")
    Duration olderThan = Duration.ofDays(30);

    @Option(
            names = "--keep-last",
            paramLabel = "N",
            defaultValue = "0",
            description = "Keeps the N newest instances of each job however old they are.")
    int keepLast;

    @Option(names = "--apply", paramLabel = "DIGEST", description = "Carries out the plan with this digest.")
    @Nullable
    String digest;

    @Mixin
    ActOptions act = new ActOptions();

    PurgeCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return look(repository -> digest == null ? plan(repository) : apply(repository, digest));
    }

    private PurgeRule rule() {
        try {
            return new PurgeRule(Instant.now().minus(olderThan), keepLast);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), "see 'wl purge --help'", e);
        }
    }

    private ExitCode plan(JobRepository repository) {
        PurgePlan plan = new Purge(repository).plan(rule());
        Map<String, Long> instances = new TreeMap<>();
        Map<String, Long> executions = new TreeMap<>();
        for (PurgeCandidate one : plan.instances()) {
            instances.merge(one.job().value(), 1L, Long::sum);
            executions.merge(one.job().value(), one.executions(), Long::sum);
        }
        if (json) {
            printJson(document(plan, instances, executions));
            return ExitCode.DONE;
        }
        if (plan.instances().isEmpty()) {
            terminal().line("nothing is older than " + Units.local(plan.rule().endedBefore()) + " and may go");
            return ExitCode.DONE;
        }
        Table table = new Table("JOB", "#INSTANCES", "#EXECUTIONS");
        instances.forEach(
                (job, count) -> table.row(job, Units.count(count), Units.count(executions.getOrDefault(job, 0L))));
        table.print(terminal());
        terminal()
                .line(Units.count(plan.instances().size()) + " instances with " + Units.count(plan.executions())
                        + " executions that ended before "
                        + Units.local(plan.rule().endedBefore()));
        terminal().line("digest " + plan.digest());
        terminal().note("    'wl purge --apply " + plan.digest() + "' removes them; nothing was removed yet");
        return ExitCode.DONE;
    }

    private static Object document(PurgePlan plan, Map<String, Long> instances, Map<String, Long> executions) {
        Map<String, @Nullable Object> document = Documents.labelled("weighlock.purge-plan/1");
        document.put("ended_before", plan.rule().endedBefore());
        document.put("keep_last", plan.rule().keepLast());
        document.put("instances", plan.instances().size());
        document.put("executions", plan.executions());
        document.put(
                "jobs",
                instances.entrySet().stream()
                        .map(entry -> {
                            Map<String, Object> job = new LinkedHashMap<>();
                            job.put("job", entry.getKey());
                            job.put("instances", entry.getValue());
                            job.put("executions", executions.getOrDefault(entry.getKey(), 0L));
                            return job;
                        })
                        .toList());
        document.put("digest", plan.digest());
        return document;
    }

    private ExitCode apply(JobRepository repository, String named) {
        try (Leftovers leftovers = new Leftovers(repository, workspace())) {
            Acted<PurgeResult> purged =
                    new Purge(repository).apply(named, act.by(invocation().actor()), leftovers);
            if (json) {
                printJson(document(purged, leftovers));
            } else if (purged.changed()) {
                terminal()
                        .line(purged.value().detail() + "; with them " + Units.count(leftovers.checkpoints())
                                + " checkpoints and " + Units.count(leftovers.logs()) + " logs");
            } else {
                terminal().line("that was done before (" + purged.value().detail() + "); nothing was changed");
            }
            leftovers.left().forEach(one -> terminal().note("left: " + one));
            return ExitCode.DONE;
        }
    }

    private static Object document(Acted<PurgeResult> purged, Leftovers leftovers) {
        Map<String, @Nullable Object> document = Documents.labelled("weighlock.purge/1");
        document.put("changed", purged.changed());
        document.put("instances", purged.value().instances());
        document.put("executions", purged.value().executions());
        document.put("kept", purged.value().kept());
        document.put("launch_requests", purged.value().requests());
        document.put("checkpoints", leftovers.checkpoints());
        document.put("logs", leftovers.logs());
        document.put("left", List.copyOf(leftovers.left()));
        document.put("detail", purged.value().detail());
        return document;
    }
}
