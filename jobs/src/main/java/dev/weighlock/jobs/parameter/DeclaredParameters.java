package dev.weighlock.jobs.parameter;

import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue;
import dev.weighlock.jobs.yaml.NearestName;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All parameters of a job file, in its order. Immutable. */
public record DeclaredParameters(List<ParameterDeclaration> declarations) {
    public DeclaredParameters {
        declarations = List.copyOf(declarations);
    }

    /** What became of the values given to a run. */
    public sealed interface Resolved {
        record Values(JobParameters parameters) implements Resolved {}

        /**
         * Nothing runs.
         *
         * @param problems one sentence each, with what to do
         */
        record Refused(List<String> problems) implements Resolved {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    public Optional<ParameterDeclaration> named(String name) {
        return declarations.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    public List<String> names() {
        return declarations.stream().map(ParameterDeclaration::name).toList();
    }

    /**
     * Types the given values and fills in the defaults; every problem at once.
     *
     * @param given name to text, as on a command line
     */
    public Resolved resolve(Map<String, String> given, Clock clock) {
        List<String> problems = new ArrayList<>(unknown(given));
        JobParameters parameters = JobParameters.NONE;
        for (ParameterDeclaration declaration : declarations) {
            Optional<ParameterValue> value = value(declaration, given, clock, problems);
            if (value.isPresent()) {
                parameters = parameters.with(
                        declaration.name(), new JobParameters.Parameter(value.get(), declaration.identifying()));
            }
        }
        return problems.isEmpty() ? new Resolved.Values(parameters) : new Resolved.Refused(problems);
    }

    private List<String> unknown(Map<String, String> given) {
        return given.keySet().stream()
                .filter(name -> named(name).isEmpty())
                .sorted()
                .map(this::unknownName)
                .toList();
    }

    private String unknownName(String name) {
        String todo = NearestName.of(name, names())
                .map(nearest -> "did you mean '%s'?".formatted(nearest))
                .orElseGet(() ->
                        names().isEmpty() ? "the job has no parameters" : "the job has " + String.join(", ", names()));
        return "unknown parameter '%s'; %s".formatted(name, todo);
    }

    private static Optional<ParameterValue> value(
            ParameterDeclaration declaration, Map<String, String> given, Clock clock, List<String> problems) {
        String name = declaration.name();
        ParameterType type = declaration.type();
        String text = given.get(name);
        if (text != null) {
            Optional<ParameterValue> value = type.parse(text);
            if (value.isEmpty()) {
                // The text is not shown: it may be a secret that somebody gave as a value.
                problems.add(type.limitBroken(text)
                        .map("the value of parameter '%s' cannot be kept: %%s".formatted(name)::formatted)
                        .orElseGet(() -> "the value of parameter '%s' is no %s; write %s"
                                .formatted(name, type.label(), type.example())));
            }
            return value;
        }
        if (declaration.defaultText().isEmpty()) {
            problems.add(
                    "parameter '%s' (%s) has no value; give it with -p %s=VALUE".formatted(name, type.label(), name));
        }
        return declaration.defaultText().flatMap(written -> type.parseDefault(written, clock, declaration.zone()));
    }
}
