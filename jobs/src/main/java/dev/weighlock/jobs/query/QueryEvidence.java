package dev.weighlock.jobs.query;

import dev.weighlock.jobs.output.WholeFile;
import dev.weighlock.query.backend.QuerySummary;
import dev.weighlock.query.engine.StatementProfile;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What a step leaves in the record about its query, as JSON: {@code weighlock.query-evidence/1}. */
public final class QueryEvidence {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Map<String, Object> fields = new LinkedHashMap<>();

    /** Knows nothing yet. */
    public QueryEvidence() {
        fields.put("schema", "weighlock.query-evidence/1");
    }

    /** The sealed report's figures; what did not happen is absent, never zero. */
    public void query(QuerySummary summary) {
        fields.put("query", figures(summary));
    }

    /** The figures of a query as {@code weighlock.query-evidence/1} holds them. */
    public static Map<String, Object> figures(QuerySummary summary) {
        Map<String, Object> query = new LinkedHashMap<>();
        query.put("attempt_id", summary.attemptId().toString());
        put(query, "label", summary.label());
        query.put("engine", summary.report().identity().engine());
        query.put("outcome", summary.outcome().name());
        Optional.ofNullable(summary.error())
                .ifPresent(error -> query.put("error", error.code().name()));
        query.put("phase_at_end", summary.report().phaseAtEnd().name());
        Optional.ofNullable(summary.report().cancelReason())
                .ifPresent(reason -> query.put("cancel_reason", reason.name().toLowerCase(Locale.ROOT)));
        query.put("capacity", summary.report().capacity().disposition().name());
        putNanos(query, "planning_ns", summary.planningTime());
        putNanos(query, "queue_wait_ns", summary.queueWait());
        putNanos(query, "execution_ns", summary.executionTime());
        putNanos(query, "total_ns", summary.totalTime());
        put(query, "grant_bytes", summary.grantBytes());
        put(query, "peak_bytes", summary.peakBytes());
        put(query, "overshoot_bytes", summary.overshootBytes());
        put(query, "temp_bytes", summary.tempBytes());
        put(query, "result_rows", summary.resultRows());
        query.put("result_complete", summary.resultComplete());
        Optional.ofNullable(summary.profile()).ifPresent(profile -> operators(query, profile));
        return query;
    }

    private static void operators(Map<String, Object> query, StatementProfile profile) {
        query.put(
                "operators",
                profile.operators().stream().map(QueryEvidence::operator).toList());
        if (profile.omitted() > 0) {
            query.put("operators_omitted", profile.omitted());
        }
    }

    private static Map<String, Object> operator(StatementProfile.Operator operator) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("depth", operator.depth());
        figures.put("name", operator.name());
        put(figures, "detail", operator.detail());
        put(figures, "rows", operator.rows());
        putNanos(figures, "time_ns", operator.time());
        put(figures, "bytes", operator.bytes());
        return figures;
    }

    /** The file that was published. */
    public void output(WholeFile.Published file, long rows) {
        Map<String, Object> output = new LinkedHashMap<>();
        output.put("path", file.path().toString());
        output.put("rows", rows);
        output.put("bytes", file.bytes());
        output.put("sha256", file.sha256());
        fields.put("output", output);
    }

    void preview(Preview preview) {
        fields.put("preview", preview.toJson());
    }

    /** All that is known. */
    public String json() {
        return JSON.writeValueAsString(fields);
    }

    private static void putNanos(Map<String, Object> map, String key, @Nullable Duration time) {
        put(map, key, time == null ? null : time.toNanos());
    }

    private static void put(Map<String, Object> map, String key, @Nullable Object value) {
        if (value != null) {
            map.put(key, value);
        }
    }
}
