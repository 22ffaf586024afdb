package dev.weighlock.jobs.file;

import dev.weighlock.jobs.template.PathTemplate;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.jobs.yaml.Scalars;
import dev.weighlock.jobs.yaml.YamlNode;
import dev.weighlock.jobs.yaml.YamlNode.Entries;
import dev.weighlock.jobs.yaml.YamlNode.Scalar;
import java.util.List;
import java.util.Locale;
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
        return step.map("chunk").flatMap(map -> new ChunkReader(problems).read(map));
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
