package dev.weighlock.jobs.check;

import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.OutputKeys;
import dev.weighlock.jobs.file.PartitionKeys;
import dev.weighlock.jobs.file.ProcessKeys;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.SplitKeys;
import dev.weighlock.jobs.file.SqlSource;
import dev.weighlock.jobs.sql.SqlTemplate;
import dev.weighlock.jobs.template.Argument;
import dev.weighlock.jobs.template.PathTemplate;
import dev.weighlock.jobs.template.Reference;
import dev.weighlock.jobs.yaml.Position;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One place where a step takes a value of another step's context.
 *
 * @param step whose context it is
 * @param shown as it is written
 * @param file the SQL file where it stands; empty for the job file
 */
record ContextUse(String step, String shown, Optional<String> file, Position at) {
    static List<ContextUse> of(FileStep step, Set<String> stepIds) {
        Stream<ContextUse> plan =
                step.partition().flatMap(PartitionKeys::by).stream().flatMap(sql -> inSql(sql, stepIds));
        return Stream.concat(plan, ofWork(step, stepIds)).toList();
    }

    private static Stream<ContextUse> ofWork(FileStep step, Set<String> stepIds) {
        return switch (step.work()) {
            case QueryKeys query ->
                Stream.concat(
                        inSql(query.sql(), stepIds),
                        query.output().stream().map(OutputKeys::path).flatMap(path -> inPath(path, step)));
            case SourceKeys source ->
                Stream.concat(
                        inSql(source.sql(), stepIds), inPath(source.output().path(), step));
            case ChunkKeys chunk ->
                Stream.concat(
                        inPath(chunk.read().glob(), step), expressions(chunk).flatMap(sql -> inSql(sql, stepIds)));
            case ShellKeys shell ->
                Stream.concat(shell.command().stream(), shell.env().values().stream())
                        .flatMap(argument -> inArgument(argument, step));
            case JavaKeys java -> java.with().values().stream().flatMap(argument -> inArgument(argument, step));
            case DecisionKeys.Sql decision -> inSql(decision.sql(), stepIds);
            case DecisionKeys.OfClass _, SplitKeys _ -> Stream.empty();
        };
    }

    /** The SQL of a chunk's items. */
    static Stream<SqlSource> expressions(ChunkKeys chunk) {
        return chunk.process().stream().flatMap(process -> switch (process) {
            case ProcessKeys.Expressions keys -> Stream.concat(keys.where().stream(), keys.set().values().stream());
            case ProcessKeys.OfClass _ -> Stream.empty();
        });
    }

    private static Stream<ContextUse> inSql(SqlSource sql, Set<String> stepIds) {
        return sql.template().parts().stream().flatMap(part -> switch (part) {
            case SqlTemplate.Part.Bind bind ->
                of(
                        Reference.ofSqlName(bind.name(), stepIds),
                        ":" + bind.name(),
                        Optional.of(sql.file()),
                        place(sql, part));
            case SqlTemplate.Part.Identifier name ->
                of(
                        Reference.ofSqlName(name.name(), stepIds),
                        "{" + name.name() + "|identifier}",
                        Optional.of(sql.file()),
                        place(sql, part));
            case SqlTemplate.Part.Literal _, SqlTemplate.Part.ForeignMark _ -> Stream.empty();
        });
    }

    private static Position place(SqlSource sql, SqlTemplate.Part part) {
        return sql.positionOf(part.at());
    }

    private static Stream<ContextUse> inPath(PathTemplate path, FileStep step) {
        return path.references().stream()
                .flatMap(reference -> of(reference, "{" + reference.shown() + "}", Optional.empty(), step.at()));
    }

    private static Stream<ContextUse> inArgument(Argument argument, FileStep step) {
        return argument.reference().stream()
                .flatMap(reference -> of(reference, argument.text(), Optional.empty(), step.at()));
    }

    private static Stream<ContextUse> of(Reference reference, String shown, Optional<String> file, Position at) {
        return reference instanceof Reference.StepContext context
                ? Stream.of(new ContextUse(context.step(), shown, file, at))
                : Stream.empty();
    }
}
