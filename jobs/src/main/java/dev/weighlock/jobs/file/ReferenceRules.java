package dev.weighlock.jobs.file;

import dev.weighlock.jobs.file.StepReader.Outline;
import dev.weighlock.jobs.parameter.DeclaredParameters;
import dev.weighlock.jobs.parameter.ParameterType;
import dev.weighlock.jobs.sql.SqlTemplate;
import dev.weighlock.jobs.template.Argument;
import dev.weighlock.jobs.template.PathTemplate;
import dev.weighlock.jobs.template.Reference;
import dev.weighlock.jobs.yaml.NearestName;
import dev.weighlock.jobs.yaml.Position;
import dev.weighlock.jobs.yaml.Problems;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Every name in SQL and paths stands for something. */
final class ReferenceRules {
    private final Problems problems;
    private final DeclaredParameters parameters;
    private final List<Outline> steps;
    private final Set<String> stepIds;

    ReferenceRules(Problems problems, DeclaredParameters parameters, List<Outline> steps) {
        this.problems = problems;
        this.parameters = parameters;
        this.steps = steps;
        this.stepIds = steps.stream().map(Outline::id).collect(Collectors.toSet());
    }

    void check() {
        steps.forEach(outline -> outline.step().ifPresent(this::check));
    }

    private void check(FileStep step) {
        boolean partitioned = step.partition().isPresent();
        // The plan is made before there is a partition.
        step.partition().flatMap(PartitionKeys::by).ifPresent(sql -> checkSql(sql, step, false));
        switch (step.work()) {
            case QueryKeys query -> {
                checkSql(query.sql(), step, partitioned);
                query.output().ifPresent(output -> checkPath(output.path(), step, partitioned));
            }
            case SourceKeys source -> {
                checkSql(source.sql(), step, partitioned);
                checkPath(source.output().path(), step, partitioned);
            }
            case ChunkKeys chunk -> checkChunk(chunk, step, partitioned);
            case ShellKeys shell -> {
                shell.command().forEach(argument -> checkArgument(argument, step, partitioned, false));
                shell.env().values().forEach(argument -> checkArgument(argument, step, partitioned, true));
            }
            case JavaKeys java ->
                java.with().values().forEach(argument -> checkArgument(argument, step, partitioned, true));
            case DecisionKeys.Sql decision -> checkSql(decision.sql(), step, false);
            case DecisionKeys.OfClass _, SplitKeys _ -> {}
        }
    }

    private void checkChunk(ChunkKeys chunk, FileStep step, boolean partitioned) {
        checkPath(chunk.read().glob(), step, partitioned);
        chunk.process().ifPresent(process -> {
            if (process instanceof ProcessKeys.Expressions expressions) {
                expressions.where().ifPresent(sql -> checkSql(sql, step, partitioned));
                expressions.set().values().forEach(sql -> checkSql(sql, step, partitioned));
            }
        });
    }

    private void checkArgument(Argument argument, FileStep step, boolean partitioned, boolean secretsAllowed) {
        argument.reference()
                .filter(reference -> !(secretsAllowed && isSecret(reference)))
                .flatMap(reference -> problem(reference, argument.text(), step, partitioned))
                .ifPresent(wrong -> problems.error(step.at(), wrong.what(), wrong.todo()));
        argument.embedded()
                .filter(reference ->
                        problem(reference, argument.text(), step, partitioned).isEmpty() || isSecret(reference))
                .ifPresent(reference -> problems.error(
                        step.at(),
                        "'{%s}' stands inside other text: a value is one whole argument".formatted(reference.shown()),
                        "write it as an item of its own"));
    }

    private boolean isSecret(Reference reference) {
        return reference instanceof Reference.Parameter parameter
                && parameters
                        .named(parameter.name())
                        .filter(one -> one.type() == ParameterType.SECRET)
                        .isPresent();
    }

    private void checkSql(SqlSource sql, FileStep step, boolean partitioned) {
        for (SqlTemplate.Part part : sql.template().parts()) {
            Position at = sql.positionOf(part.at());
            switch (part) {
                case SqlTemplate.Part.Literal _ -> {}
                case SqlTemplate.Part.Bind bind -> check(bind.name(), ":" + bind.name(), sql, at, step, partitioned);
                case SqlTemplate.Part.Identifier name ->
                    check(name.name(), "{" + name.name() + "|identifier}", sql, at, step, partitioned);
                case SqlTemplate.Part.ForeignMark mark ->
                    problems.errorIn(
                            sql.file(),
                            at,
                            "'%s' in SQL is not bound here".formatted(mark.mark()),
                            "write :name for a value");
            }
        }
    }

    private void check(String name, String shown, SqlSource sql, Position at, FileStep step, boolean partitioned) {
        Reference reference = Reference.ofSqlName(name, stepIds);
        problem(reference, shown, step, partitioned)
                .ifPresent(wrong -> problems.errorIn(sql.file(), at, wrong.what(), wrong.todo()));
    }

    private void checkPath(PathTemplate path, FileStep step, boolean partitioned) {
        for (Reference reference : path.references()) {
            problem(reference, "{" + reference.shown() + "}", step, partitioned)
                    .ifPresent(wrong -> problems.error(step.at(), wrong.what(), wrong.todo()));
        }
    }

    private record Wrong(String what, String todo) {}

    private Optional<Wrong> problem(Reference reference, String shown, FileStep step, boolean partitioned) {
        return switch (reference) {
            case Reference.Parameter parameter -> parameterProblem(parameter.name(), shown);
            case Reference.PartitionKey _, Reference.PartitionColumn _ ->
                partitioned
                        ? Optional.empty()
                        : wrong(
                                "'%s' has no value here: there is no partition".formatted(shown),
                                "add 'partition' to the step or use another value");
            case Reference.StepContext context ->
                stepIds.contains(context.step()) && !context.step().equals(step.id())
                        ? Optional.empty()
                        : wrong("'%s' names no earlier step".formatted(shown), "write {STEP.context.KEY} with its id");
        };
    }

    private Optional<Wrong> parameterProblem(String name, String shown) {
        var declaration = parameters.named(name);
        if (declaration.isEmpty()) {
            String todo = NearestName.of(name, parameters.names())
                    .map(nearest -> "did you mean '%s'?".formatted(nearest))
                    .orElse("declare it under 'parameters'"
                            + (shown.startsWith(":") ? ", or write a blank after ':' if it is no value" : ""));
            return wrong("'%s' is no parameter of this job".formatted(shown), todo);
        }
        return declaration.get().type() == ParameterType.SECRET
                ? wrong("'%s' is a secret".formatted(shown), "secrets go into 'env' and 'with' only; use another value")
                : Optional.empty();
    }

    private static Optional<Wrong> wrong(String what, String todo) {
        return Optional.of(new Wrong(what, todo));
    }
}
