package dev.weighlock.jobs.file;

import dev.weighlock.batch.ExitStatus;
import dev.weighlock.jobs.template.Argument;
import dev.weighlock.jobs.template.PathTemplate;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.jobs.yaml.Scalars;
import dev.weighlock.jobs.yaml.YamlNode;
import dev.weighlock.jobs.yaml.YamlNode.Entries;
import dev.weighlock.jobs.yaml.YamlNode.Entry;
import dev.weighlock.jobs.yaml.YamlNode.Scalar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads the keys of a step's kind, whose shape is already known to be right. */
final class WorkReader {
    private final Problems problems;
    private final SqlFiles sqlFiles;
    private final String shownName;

    WorkReader(Problems problems, SqlFiles sqlFiles, String shownName) {
        this.problems = problems;
        this.sqlFiles = sqlFiles;
        this.shownName = shownName;
    }

    Optional<StepWork> read(Entries step) {
        Optional<Entries> query = step.map("query");
        if (query.isPresent()) {
            return query.flatMap(this::query);
        }
        Optional<Entries> source = step.map("source");
        if (source.isPresent()) {
            return source.flatMap(this::source);
        }
        Optional<Entries> chunk = step.map("chunk");
        if (chunk.isPresent()) {
            return chunk.flatMap(map -> new ChunkReader(problems, shownName).read(map));
        }
        return step.map("shell")
                .map(this::shell)
                .or(() -> step.map("java").map(WorkReader::java))
                .or(() -> step.map("decision").map(this::decision))
                .or(() -> step.map("split").map(WorkReader::split));
    }

    private StepWork shell(Entries map) {
        Map<Integer, String> exitCodes = new LinkedHashMap<>();
        for (Entry entry : map.map("exit_codes").map(Entries::entries).orElse(List.of())) {
            String code = text(entry.value());
            if (code.equals(ExitStatus.STOPPED.code()) || code.equals(ExitStatus.UNKNOWN.code())) {
                problems.error(
                        entry.keyAt(),
                        "no program can say that it was '%s'".formatted(code),
                        "write COMPLETED, FAILED or a code of your own");
            }
            exitCodes.put(Integer.parseInt(entry.key()), code);
        }
        List<Argument> command =
                texts(map, "command").stream().map(Argument::parse).toList();
        return new ShellKeys(command, arguments(map, "env"), exitCodes);
    }

    private static StepWork java(Entries map) {
        return new JavaKeys(map.text("class").orElseThrow(), arguments(map, "with"));
    }

    private static Map<String, Argument> arguments(Entries map, String key) {
        Map<String, Argument> arguments = new LinkedHashMap<>();
        for (Entry entry : map.map(key).map(Entries::entries).orElse(List.of())) {
            arguments.put(entry.key(), Argument.parse(text(entry.value())));
        }
        return arguments;
    }

    private StepWork decision(Entries map) {
        return map.scalar("sql")
                .<StepWork>map(sql -> new DecisionKeys.Sql(SqlReader.inline(sql, shownName)))
                .orElseGet(() -> new DecisionKeys.OfClass(map.text("class").orElseThrow()));
    }

    private static StepWork split(Entries map) {
        List<List<String>> branches = map.list("branches").stream()
                .map(branch -> ((YamlNode.Items) branch)
                        .nodes().stream().map(WorkReader::text).toList())
                .toList();
        OptionalInt workers = map.read("workers", StepGrammar.WORKERS)
                .map(count -> OptionalInt.of(count.intValue()))
                .orElse(OptionalInt.empty());
        OnFailure onFailure = map.read("on_failure", StepGrammar.ON_FAILURE).orElse(OnFailure.CANCEL);
        return new SplitKeys(branches, map.text("join").orElseThrow(), workers, onFailure);
    }

    private Optional<StepWork> query(Entries map) {
        Optional<SqlSource> sql = SqlReader.read(map, sqlFiles, shownName, problems);
        Optional<OutputKeys> output = map.map("output").flatMap(this::output);
        OptionalLong maxRows =
                map.read("max_rows", StepGrammar.ROWS).map(OptionalLong::of).orElse(OptionalLong.empty());
        return sql.map(text -> new QueryKeys(text, output, budget(map), map.text("engine"), maxRows));
    }

    private Optional<StepWork> source(Entries map) {
        Optional<SqlSource> sql = SqlReader.read(map, sqlFiles, shownName, problems);
        Optional<OutputKeys> output = map.map("output").flatMap(this::output);
        if (sql.isEmpty() || output.isEmpty()) {
            return Optional.empty();
        }
        OptionalInt fetch = map.read("fetch", StepGrammar.COUNT)
                .map(rows -> OptionalInt.of(rows.intValue()))
                .orElse(OptionalInt.empty());
        return Optional.of(new SourceKeys(
                map.text("connection").orElseThrow(),
                sql.get(),
                texts(map, "order_by"),
                output.get(),
                fetch,
                budget(map)));
    }

    private static Budget budget(Entries map) {
        return new Budget(
                map.read("cap", Scalars.SIZE_TEXT).map(OptionalLong::of).orElse(OptionalLong.empty()),
                map.text("pool"),
                map.read("deadline", Scalars.DURATION_TEXT));
    }

    private Optional<OutputKeys> output(Entries map) {
        OutputKeys.Format format = map.value("parquet").isPresent()
                ? OutputKeys.Format.PARQUET
                : map.value("csv").isPresent() ? OutputKeys.Format.CSV : OutputKeys.Format.JSONL;
        if (format != OutputKeys.Format.CSV) {
            onlyWithCsv(map, "header");
            onlyWithCsv(map, "delimiter");
            onlyWithCsv(map, "quote");
        }
        Optional<OutputKeys.Compression> compression = map.read("compression", StepGrammar.COMPRESSION);
        if (compression.filter(OutputKeys.Compression.SNAPPY::equals).isPresent()
                && format != OutputKeys.Format.PARQUET) {
            problems.error(
                    map.value("compression").orElseThrow().at(), "snappy is for parquet only", "choose gzip or zstd");
        }
        Scalar path = map.scalar(format.name().toLowerCase(Locale.ROOT)).orElseThrow();
        return path(path, problems)
                .map(template -> new OutputKeys(
                        format,
                        template,
                        map.read("header", Scalars.FLAG).orElse(true),
                        map.read("delimiter", Scalars.CHARACTER).orElse(','),
                        map.read("quote", Scalars.CHARACTER).orElse('"'),
                        compression));
    }

    private void onlyWithCsv(Entries map, String key) {
        map.entry(key)
                .ifPresent(entry ->
                        problems.error(entry.keyAt(), "'%s' has a meaning for csv only".formatted(key), "remove it"));
    }

    static Optional<PathTemplate> path(Scalar scalar, Problems problems) {
        try {
            return Optional.of(PathTemplate.parse(scalar.text()));
        } catch (IllegalArgumentException malformed) {
            problems.error(scalar.at(), String.valueOf(malformed.getMessage()), "correct the path");
            return Optional.empty();
        }
    }

    static List<String> texts(Entries map, String key) {
        return map.list(key).stream().map(WorkReader::text).toList();
    }

    private static String text(YamlNode node) {
        return ((Scalar) node).text();
    }
}
