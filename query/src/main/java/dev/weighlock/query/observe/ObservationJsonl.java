package dev.weighlock.query.observe;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ErrorStatus;
import dev.weighlock.query.json.JsonObject;
import dev.weighlock.query.json.JsonRow;
import dev.weighlock.query.report.CleanupPhase;
import dev.weighlock.query.report.ReportJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sealed observation as JSON lines: the manifest, one line for each operator of the plan, the events in their order,
 * the footer with the report.
 */
public final class ObservationJsonl {
    private ObservationJsonl() {}

    public static void write(SealedObservation observation, Appendable out) throws IOException {
        out.append(manifestRow(observation.manifest())).append('\n');
        for (var node : observation.topology()) {
            out.append(topologyRow(node)).append('\n');
        }
        for (var event : observation.events()) {
            out.append(eventRow(event)).append('\n');
        }
        out.append(footerRow(observation.footer())).append('\n');
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException when a row is unknown, out of place or missing
     */
    public static SealedObservation read(Iterable<String> lines) {
        ObservationManifest manifest = null;
        List<TopologyNode> topology = new ArrayList<>();
        List<ObservationEvent> events = new ArrayList<>();
        ObservationFooter footer = null;
        for (var line : lines) {
            var row = JsonObject.parse(line);
            require((manifest != null) != row.text("record").equals("manifest") && footer == null, "rows out of order");
            switch (row.text("record")) {
                case "manifest" -> manifest = readManifest(row);
                case "topology" -> topology.add(readTopology(row));
                case "event" -> events.add(readEvent(row));
                case "footer" -> footer = readFooter(row);
                default -> throw new IllegalArgumentException("unknown row " + row.text("record"));
            }
        }
        if (manifest == null || footer == null) {
            throw new IllegalArgumentException("the observation is not whole");
        }
        return new SealedObservation(manifest, topology, events, footer);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private static String manifestRow(ObservationManifest manifest) {
        return JsonRow.write(out -> out.text("record", "manifest")
                .text("schema", ObservationManifest.SCHEMA)
                .text("attempt_id", manifest.attemptId())
                .text("query_id", manifest.queryId())
                .text("trace_context", manifest.traceContext())
                .flag("enabled", manifest.config().enabled())
                .number("max_records", manifest.config().maxRecords())
                .number("max_bytes", manifest.config().maxBytes())
                .number("unix_epoch_ns", manifest.unixEpochNanos()));
    }

    private static ObservationManifest readManifest(JsonObject row) {
        require(row.text("schema").equals(ObservationManifest.SCHEMA), "unknown schema " + row.text("schema"));
        return new ObservationManifest(
                AttemptId.parse(row.text("attempt_id")),
                row.text("query_id"),
                row.textOrNull("trace_context"),
                new ObservationConfig(
                        row.flag("enabled"), Math.toIntExact(row.number("max_records")), row.number("max_bytes")),
                row.numberOrNull("unix_epoch_ns"));
    }

    private static String topologyRow(TopologyNode node) {
        return JsonRow.write(out -> out.text("record", "topology")
                .number("id", node.id())
                .number("parent", node.parent())
                .text("operator", node.operator()));
    }

    private static TopologyNode readTopology(JsonObject row) {
        return new TopologyNode(Math.toIntExact(row.number("id")), intOrNull(row, "parent"), row.text("operator"));
    }

    private static @Nullable Integer intOrNull(JsonObject row, String name) {
        var number = row.numberOrNull(name);
        return number == null ? null : Math.toIntExact(number);
    }

    private static String eventRow(ObservationEvent event) {
        return JsonRow.write(out -> {
            out.text("record", "event")
                    .number("sequence", event.sequence())
                    .number("at_ns", event.atNanos())
                    .text("class", event.payload().eventClass());
            switch (event.payload()) {
                case EventPayload.Boundary(var kind) -> out.text("boundary", kind);
                case EventPayload.CleanupFailed(var phase, var code, var status) ->
                    out.text("phase", phase).text("code", code).text("status", status);
                case EventPayload.SourceRead(var source, var rows, var bytes) ->
                    out.text("source", source).number("rows", rows).number("bytes", bytes);
                case EventPayload.MemorySample(var used, var temp) ->
                    out.number("used_bytes", used).number("temp_bytes", temp);
                case EventPayload.Progress(var fraction) -> out.number("fraction", fraction);
            }
        });
    }

    private static ObservationEvent readEvent(JsonObject row) {
        return new ObservationEvent(row.number("sequence"), row.number("at_ns"), readPayload(row));
    }

    private static EventPayload readPayload(JsonObject row) {
        return switch (row.constant("class", EventClass.class)) {
            case BOUNDARY -> EventPayload.Boundary.of(row.constant("boundary", BoundaryKind.class));
            case CLEANUP_FAILURE ->
                new EventPayload.CleanupFailed(
                        row.constant("phase", CleanupPhase.class),
                        row.constant("code", ErrorCode.class),
                        row.constant("status", ErrorStatus.class));
            case SOURCE_READ ->
                new EventPayload.SourceRead(row.text("source"), row.number("rows"), row.number("bytes"));
            case MEMORY_SAMPLE -> new EventPayload.MemorySample(row.number("used_bytes"), row.number("temp_bytes"));
            case PROGRESS -> new EventPayload.Progress(row.fraction("fraction"));
        };
    }

    private static String footerRow(ObservationFooter footer) {
        return JsonRow.write(out -> out.text("record", "footer")
                .objects(
                        "losses",
                        footer.losses(),
                        (row, loss) -> row.text("class", loss.eventClass())
                                .text("reason", loss.reason())
                                .number("count", loss.count()))
                .json("attempt_report", ReportJson.write(footer.report())));
    }

    private static ObservationFooter readFooter(JsonObject row) {
        var report = ReportJson.read(row.object("attempt_report").toJson());
        var losses = row.objects("losses").stream()
                .map(loss -> new Loss(
                        loss.constant("class", EventClass.class),
                        loss.constant("reason", LossReason.class),
                        loss.number("count")))
                .toList();
        return new ObservationFooter(report.outcome(), report.observation(), losses, report);
    }
}
