package dev.weighlock.jobs.compile;

import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.CsvKeys;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.OutputKeys;
import dev.weighlock.jobs.file.PartitionKeys;
import dev.weighlock.jobs.file.ProcessKeys;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.SplitKeys;
import dev.weighlock.jobs.file.StepWork;
import dev.weighlock.jobs.file.TableKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The digest of what a step means: its SQL, files and tables. Budgets (cap, pool, deadline, workers, fetch, read-ahead)
 * are no part of it; size, delivery and fault policy the batch runtime adds itself.
 */
final class StepRevision {
    private final MessageDigest digest;

    private StepRevision() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    static String of(StepWork work) {
        StepRevision revision = new StepRevision();
        switch (work) {
            case QueryKeys query -> revision.query(query);
            case SourceKeys source -> revision.source(source);
            case ChunkKeys chunk -> revision.chunk(chunk);
            case ShellKeys shell -> revision.shell(shell);
            case JavaKeys java -> {
                revision.add("java", java.className());
                java.with().forEach((name, value) -> revision.add("with", name + "=" + value));
            }
            case DecisionKeys.Sql decision ->
                revision.add("decision", decision.sql().template().text());
            case DecisionKeys.OfClass decision -> revision.add("decision class", decision.className());
            case SplitKeys _ -> {} // its branches stand in the manifest
        }
        return revision.hex();
    }

    static String of(PartitionKeys partition) {
        StepRevision revision = new StepRevision();
        revision.add(
                "partition", partition.by().map(sql -> sql.template().text()).orElse(""));
        partition.keys().forEach(key -> revision.add("key", key));
        partition.className().ifPresent(name -> revision.add("class", name));
        return revision.hex();
    }

    private void query(QueryKeys query) {
        add("query", query.sql().template().text());
        query.output().ifPresent(this::output);
        add("max_rows", query.maxRows());
    }

    private void source(SourceKeys source) {
        add("source", source.sql().template().text());
        add("connection", source.connection());
        source.orderBy().forEach(column -> add("order_by", column));
        output(source.output());
    }

    private void output(OutputKeys output) {
        add("output", output.path());
        add("format", List.of(output.format(), output.header(), output.delimiter(), output.quote()));
        add("compression", output.compression());
    }

    private void chunk(ChunkKeys chunk) {
        CsvKeys read = chunk.read();
        add("csv", read.glob());
        read.schema().forEach((column, type) -> add("column", column + " " + type));
        add("format", List.of(read.header(), read.delimiter(), read.quote(), read.encoding(), read.compression()));
        add("on_missing", read.onMissing());
        chunk.process().ifPresent(this::process);
        TableKeys write = chunk.write();
        add("connection", write.connection());
        add("table", write.table());
        add("mode", write.mode());
        write.key().forEach(column -> add("key", column));
    }

    private void process(ProcessKeys process) {
        switch (process) {
            case ProcessKeys.OfClass(String name) -> add("process", name);
            case ProcessKeys.Expressions(var where, var set) -> {
                where.ifPresent(sql -> add("where", sql.template().text()));
                set.forEach((column, sql) -> {
                    add("set", column);
                    add("expression", sql.template().text());
                });
            }
        }
    }

    private void shell(ShellKeys shell) {
        shell.command().forEach(argument -> add("argument", argument));
        shell.env().forEach((name, value) -> add("env", name + "=" + value));
        shell.exitCodes().forEach((number, code) -> add("exit code", number + " " + code));
    }

    /** Each part with its length, so that two different lists never read the same. */
    private void add(String name, Object value) {
        for (String text : List.of(name, value.toString())) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            digest.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
            digest.update(bytes);
        }
    }

    private String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
