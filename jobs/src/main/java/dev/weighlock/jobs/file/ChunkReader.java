package dev.weighlock.jobs.file;

import dev.weighlock.jobs.template.PathTemplate;
import dev.weighlock.jobs.yaml.Position;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.jobs.yaml.Scalars;
import dev.weighlock.jobs.yaml.YamlNode.Entries;
import dev.weighlock.jobs.yaml.YamlNode.Entry;
import dev.weighlock.jobs.yaml.YamlNode.Scalar;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the keys of a chunk step, whose shape is already known to be right. */
final class ChunkReader {
    private static final Duration FIRST_WAIT = Duration.ofMillis(200);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final Problems problems;
    private final String shownName;

    ChunkReader(Problems problems, String shownName) {
        this.problems = problems;
        this.shownName = shownName;
    }

    Optional<StepWork> read(Entries map) {
        Optional<CsvKeys> read = csv(map.map("read").orElseThrow());
        TableKeys write =
                table(map.map("write").flatMap(keys -> keys.map("jdbc")).orElseThrow());
        return read.map(csv -> new ChunkKeys(
                csv,
                map.map("process").map(this::process),
                write,
                map.read("size", StepGrammar.CHUNK_SIZE).orElse(1_000L).intValue(),
                map.read("delivery", StepGrammar.DELIVERY).orElse(ChunkKeys.Delivery.ATOMIC),
                map.read("in_flight", StepGrammar.IN_FLIGHT).orElse(ChunkKeys.InFlight.FINISH),
                map.map("retry").map(this::retry),
                map.map("skip").map(this::skip),
                map.read("read_ahead", Scalars.FLAG).orElse(true)));
    }

    private Optional<CsvKeys> csv(Entries map) {
        Optional<PathTemplate> glob = WorkReader.path(map.scalar("csv").orElseThrow(), problems);
        Charset encoding = map.scalar("encoding").flatMap(this::charset).orElse(StandardCharsets.UTF_8);
        CsvKeys.OnMissing onMissing =
                map.read("on_missing", StepGrammar.ON_MISSING).orElse(CsvKeys.OnMissing.FAIL);
        Optional<OutputKeys.Compression> compression = map.read("compression", StepGrammar.COMPRESSION);
        if (compression
                .filter(c -> c == OutputKeys.Compression.ZSTD || c == OutputKeys.Compression.SNAPPY)
                .isPresent()) {
            notYet(
                    map,
                    "compression",
                    "reading this compression",
                    "use gzip or none, or read the file in a query step, which takes .zst too");
        }
        Map<String, String> schema = schema(map);
        return glob.map(path -> new CsvKeys(
                path,
                schema,
                map.read("header", Scalars.FLAG).orElse(true),
                map.read("delimiter", Scalars.CHARACTER).orElse(','),
                map.read("quote", Scalars.CHARACTER).orElse('"'),
                encoding,
                compression,
                onMissing));
    }

    private void notYet(Entries map, String key, String what, String todo) {
        problems.error(map.value(key).orElseThrow().at(), what + " is not supported yet", todo);
    }

    private Map<String, String> schema(Entries map) {
        Map<String, String> columns = new LinkedHashMap<>();
        for (Entry entry : map.map("schema").map(Entries::entries).orElse(List.of())) {
            if (entry.value() instanceof Scalar scalar) {
                columns.put(entry.key(), scalar.text());
            } else {
                problems.error(
                        entry.keyAt(), "a column of csv has a type only", "write %s: TYPE".formatted(entry.key()));
            }
        }
        return columns;
    }

    private Optional<Charset> charset(Scalar scalar) {
        try {
            return Optional.of(Charset.forName(scalar.text()));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            problems.error(
                    scalar.at(), "the encoding '%s' is not known".formatted(scalar.text()), "write one such as UTF-8");
            return Optional.empty();
        }
    }

    private TableKeys table(Entries map) {
        TableKeys.Mode mode = map.read("mode", StepGrammar.MODE).orElse(TableKeys.Mode.INSERT);
        List<String> key = WorkReader.texts(map, "key");
        Position at = map.at();
        if (mode == TableKeys.Mode.UPSERT && key.isEmpty()) {
            problems.error(at, "'mode: upsert' needs a key", "add key: [COLUMN] that is unique in the table");
        }
        if (mode != TableKeys.Mode.UPSERT && !key.isEmpty()) {
            problems.error(at, "'key' has a meaning for 'mode: upsert' only", "remove it or write mode: upsert");
        }
        return new TableKeys(
                map.text("connection").orElseThrow(), map.text("table").orElseThrow(), mode, key);
    }

    private ProcessKeys process(Entries map) {
        boolean expressions = map.value("where").isPresent() || map.value("set").isPresent();
        if (expressions && map.value("class").isPresent()) {
            problems.error(map.at(), "'process' has 'class' beside expressions", "keep one of them");
        }
        if (!expressions && map.value("class").isEmpty()) {
            problems.error(map.at(), "'process' does nothing", "write where, set or class");
            return new ProcessKeys.OfClass("");
        }
        if (!expressions) {
            return new ProcessKeys.OfClass(map.text("class").orElseThrow());
        }
        Map<String, SqlSource> set = new LinkedHashMap<>();
        for (Entry entry : map.map("set").map(Entries::entries).orElse(List.of())) {
            set.put(entry.key(), SqlReader.inline((Scalar) entry.value(), shownName));
        }
        return new ProcessKeys.Expressions(map.scalar("where").map(sql -> SqlReader.inline(sql, shownName)), set);
    }

    private ChunkKeys.Retry retry(Entries map) {
        Entries backoff = map.map("backoff").orElse(new Entries(map.at(), List.of()));
        Duration initial = backoff.read("initial", Scalars.DURATION_TEXT).orElse(FIRST_WAIT);
        Duration max = backoff.read("max", Scalars.DURATION_TEXT)
                .orElse(initial.compareTo(LONGEST_WAIT) > 0 ? initial : LONGEST_WAIT);
        if (max.compareTo(initial) < 0) {
            problems.error(backoff.at(), "'max' is shorter than 'initial'", "make it longer");
        }
        return new ChunkKeys.Retry(
                map.read("limit", StepGrammar.LIMIT).orElseThrow().intValue(),
                WorkReader.texts(map, "on"),
                initial,
                max,
                backoff.read("factor", StepGrammar.FACTOR).orElse(2.0),
                backoff.read("jitter", StepGrammar.JITTER).orElse(0.0));
    }

    private ChunkKeys.Skip skip(Entries map) {
        Set<ChunkKeys.Phase> phases = EnumSet.noneOf(ChunkKeys.Phase.class);
        List<String> classes = new ArrayList<>();
        for (String word : WorkReader.texts(map, "on")) {
            switch (word) {
                case "read", "process", "write" -> phases.add(ChunkKeys.Phase.valueOf(word.toUpperCase(Locale.ROOT)));
                default -> classes.add(word);
            }
        }
        if (phases.isEmpty()) {
            phases.addAll(EnumSet.allOf(ChunkKeys.Phase.class));
        }
        return new ChunkKeys.Skip(
                map.read("limit", StepGrammar.LIMIT).orElseThrow().intValue(), phases, classes);
    }
}
