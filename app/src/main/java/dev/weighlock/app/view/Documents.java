package dev.weighlock.app.view;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.AuditRecord;
import dev.weighlock.batch.repository.Hold;
import dev.weighlock.batch.repository.JobSummary;
import dev.weighlock.batch.repository.PartitionTotals;
import dev.weighlock.batch.repository.QueuedLaunch;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What {@code --json} prints: one document with a schema label; names as in the README, instants in UTC, absent is null. */
public final class Documents {
    private Documents() {}

    /** @param waiting launches that wait for a slot, of all jobs */
    public static Map<String, @Nullable Object> jobs(
            List<JobSummary> jobs, Optional<String> next, List<QueuedLaunch> waiting) {
        Map<String, @Nullable Object> document = labelled("weighlock.jobs/1");
        document.put("jobs", jobs.stream().map(job -> job(job, waiting)).toList());
        document.put("next", next.orElse(null));
        return document;
    }

    private static Map<String, @Nullable Object> job(JobSummary job, List<QueuedLaunch> waiting) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("job", job.job().value());
        values.put("instances", job.instances());
        values.put("executions", job.executions());
        values.put(
                "waiting",
                waiting.stream()
                        .filter(request -> request.job().equals(job.job()))
                        .count());
        values.put("last", execution(job.last()));
        return values;
    }

    /** @param waiting launches that wait for a slot, the next one first */
    public static Map<String, @Nullable Object> executions(
            List<JobExecution> executions, Optional<String> next, List<QueuedLaunch> waiting) {
        Map<String, @Nullable Object> document = labelled("weighlock.executions/1");
        document.put("waiting", waiting.stream().map(Documents::request).toList());
        document.put("executions", executions.stream().map(Documents::execution).toList());
        document.put("next", next.orElse(null));
        return document;
    }

    /** A new document that begins with its schema label. */
    public static Map<String, @Nullable Object> labelled(String schema) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("schema", schema);
        return document;
    }

    public static Map<String, @Nullable Object> execution(JobExecution execution) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("id", execution.id());
        values.put("job", execution.instance().name().value());
        values.put("instance_id", execution.instance().id());
        values.put("attempt", execution.attempt());
        values.put("status", execution.status().name());
        values.put("exit_status", execution.exitStatus().code());
        values.put("parameters", parameters(execution.parameters()));
        putTimes(values, Optional.of(execution.createdAt()), execution.startedAt(), execution.endedAt());
        values.put("stop", stop(execution));
        putFailure(values, execution.failure(), execution.diagnostics());
        values.put("owner", execution.ownerNode());
        values.put("epoch", execution.epoch());
        values.put("version", execution.version());
        values.put("definition", execution.definitionDigest());
        values.put("fingerprint", execution.fingerprint());
        return values;
    }

    /**
     * Why a command failed: {@code {"error":{"code":"NOT_FOUND","exit":4,"what":…,"where":…,"hint":…}}}; the names of the
     * codes are those of {@link dev.weighlock.app.exit.ExitCode}.
     */
    public static Map<String, @Nullable Object> error(CommandFailure failure) {
        Map<String, @Nullable Object> error = new LinkedHashMap<>();
        error.put("code", failure.code().name());
        error.put("exit", failure.code().number());
        error.put("what", failure.getMessage());
        error.put("where", failure.where());
        error.put("hint", failure.remedy());
        Map<String, @Nullable Object> document = labelled("weighlock.error/1");
        document.put("error", error);
        return document;
    }

    /** A thing as a document of its own. */
    public static Map<String, @Nullable Object> labelled(String schema, Map<String, @Nullable Object> thing) {
        Map<String, @Nullable Object> document = labelled(schema);
        document.putAll(thing);
        return document;
    }

    /** A thing after an act on it, and whether the act changed it. */
    public static Map<String, @Nullable Object> acted(
            String schema, Map<String, @Nullable Object> thing, boolean changed) {
        Map<String, @Nullable Object> document = labelled(schema, thing);
        document.put("changed", changed);
        return document;
    }

    /** A hold; empty where there is none. */
    public static Map<String, @Nullable Object> hold(Optional<Hold> hold) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        hold.ifPresent(one -> {
            values.put("instance_id", one.instanceId());
            values.put("actor", one.actor());
            values.put("reason", one.reason());
            values.put("since", one.since());
        });
        return values;
    }

    /** A launch that waits, or waited, for a slot of its job. */
    public static Map<String, @Nullable Object> request(QueuedLaunch request) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("request", request.name());
        values.put("job", request.job().value());
        values.put("state", request.state().name());
        values.put("parameters", parameters(request.parameters()));
        values.put("actor", request.actor());
        values.put("host", request.waiter().host());
        values.put("pid", request.waiter().pid());
        values.put("requested_at", request.requestedAt());
        values.put(
                "execution",
                request.execution().isPresent() ? request.execution().getAsLong() : null);
        values.put("ended_by", request.endedBy().orElse(null));
        return values;
    }

    /** An entry of the audit trail. */
    public static Map<String, @Nullable Object> audit(AuditRecord record) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("at", record.at());
        values.put("action", record.entry().action());
        values.put("actor", record.entry().actor());
        values.put("detail", record.entry().detail());
        return values;
    }

    private static Map<String, Object> parameters(JobParameters parameters) {
        Map<String, Object> values = new LinkedHashMap<>();
        parameters.asMap().forEach((name, parameter) -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("type", parameter.value().type());
            one.put("value", parameter.value().text());
            one.put("identifying", parameter.identifying());
            values.put(name.value(), one);
        });
        return values;
    }

    private static @Nullable Map<String, @Nullable Object> stop(JobExecution execution) {
        if (execution.stop().request().isEmpty() && execution.stop().seenAt().isEmpty()) {
            return null;
        }
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        execution.stop().request().ifPresent(request -> {
            values.put("requested_at", request.requestedAt());
            values.put("actor", request.actor());
        });
        values.put("seen_at", execution.stop().seenAt().orElse(null));
        values.put("last_commit_at", execution.stop().lastCommitAt().orElse(null));
        values.put("terminal_at", execution.endedAt().orElse(null));
        return values;
    }

    static Map<String, @Nullable Object> step(StepExecution step) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("id", step.id());
        values.put("step", step.name().value());
        values.put("attempt", step.attempt());
        values.put("status", step.status().name());
        values.put("exit_status", step.exitStatus().code());
        values.put("counts", counts(step.counts()));
        putTimes(values, Optional.empty(), Optional.of(step.startedAt()), step.endedAt());
        values.put("stop_timing", step.stopTiming().map(Enum::name).orElse(null));
        putFailure(values, step.failure(), step.diagnostics());
        return values;
    }

    static Map<String, @Nullable Object> partition(PartitionExecution partition) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("id", partition.id());
        values.put("key", partition.key());
        values.put("ordinal", partition.ordinal());
        values.put("status", partition.status().name());
        values.put("exit_status", partition.exitStatus().code());
        values.put("carried_over", partition.carriedOver());
        values.put("counts", counts(partition.counts()));
        putTimes(values, Optional.empty(), partition.startedAt(), partition.endedAt());
        putFailure(values, partition.failure(), partition.diagnostics());
        return values;
    }

    static Map<String, Object> totals(PartitionTotals totals) {
        Map<String, Object> byStatus = new TreeMap<>();
        totals.byStatus().forEach((status, count) -> byStatus.put(status.name().toLowerCase(Locale.ROOT), count));
        byStatus.put("total", totals.total());
        return byStatus;
    }

    static Map<String, Object> counts(StepCounts counts) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("read", counts.read());
        values.put("processed", counts.processed());
        values.put("written", counts.written());
        values.put("filtered", counts.filtered());
        values.put("read_skips", counts.readSkips());
        values.put("process_skips", counts.processSkips());
        values.put("write_skips", counts.writeSkips());
        values.put("commits", counts.commits());
        values.put("rollbacks", counts.rollbacks());
        return values;
    }

    private static void putTimes(
            Map<String, @Nullable Object> values,
            Optional<Instant> created,
            Optional<Instant> started,
            Optional<Instant> ended) {
        created.ifPresent(instant -> values.put("created_at", instant));
        values.put("started_at", started.orElse(null));
        values.put("ended_at", ended.orElse(null));
    }

    private static void putFailure(
            Map<String, @Nullable Object> values, Optional<FailureSummary> failure, Optional<String> diagnostics) {
        values.put("failure", failure.map(Documents::failure).orElse(null));
        values.put("diagnostics", diagnostics.orElse(null));
    }

    private static Map<String, Object> failure(FailureSummary summary) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("category", summary.category().name());
        values.put("id", summary.id());
        return values;
    }
}
