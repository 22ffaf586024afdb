package dev.weighlock.jobs.file;

import static dev.weighlock.jobs.yaml.Scalars.FLAG;
import static dev.weighlock.jobs.yaml.Scalars.NON_EMPTY;
import static dev.weighlock.jobs.yaml.Scalars.TEXT;
import static dev.weighlock.jobs.yaml.Scalars.ZONE;
import static dev.weighlock.jobs.yaml.Scalars.constant;
import static dev.weighlock.jobs.yaml.Scalars.oneOf;
import static dev.weighlock.jobs.yaml.Scalars.whole;

import dev.weighlock.jobs.parameter.ParameterType;
import dev.weighlock.jobs.yaml.ScalarShape;
import dev.weighlock.jobs.yaml.Scalars;
import dev.weighlock.jobs.yaml.Shape;
import dev.weighlock.query.engine.DataSet;
import java.util.Optional;
import java.util.regex.Pattern;

/** Every key of a job file, except what stands inside a step; see {@link StepGrammar}. */
final class JobGrammar {
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    static final ScalarShape<String> NAME = Scalars.name(128);
    static final ScalarShape<String> EXIT_CODE = Scalars.name(64);
    static final ScalarShape<ParameterType> PARAMETER_TYPE = constant(ParameterType.class);
    static final ScalarShape<String> PARAMETER_NAME = new ScalarShape<>(
            "a name of letters, digits and underscores, at most 128",
            text -> Optional.of(text)
                    .filter(name -> name.length() <= 128 && WORD.matcher(name).matches()));
    private static final ScalarShape<String> DATA_SET_NAME = new ScalarShape<>(
            "a name of small letters, digits and underscores that begins with a letter, at most 63",
            text -> Optional.of(text).filter(DataSet::isName));

    private static final Shape PARAMETER = Shape.record("a parameter")
            .required("type", PARAMETER_TYPE)
            .optional("identifying", FLAG)
            .optional("default", TEXT)
            .optional("zone", ZONE)
            .build();

    private static final Shape DIRECTORIES = Shape.record("'directories'")
            .optional("read", Shape.nonEmptyListOf(NON_EMPTY))
            .optional("write", Shape.nonEmptyListOf(NON_EMPTY))
            .build();

    static final ScalarShape<Long> RUNS = whole(1, 10_000);

    private static final Shape MAX_CONCURRENT = Shape.record("'max_concurrent'")
            .required("runs", RUNS)
            .optional("otherwise", oneOf("refuse", "queue"))
            .build();

    private static final Shape ON = Shape.mapOf(
            EXIT_CODE,
            Shape.record("a notice")
                    .optional("post", NON_EMPTY)
                    .optional("exec", Shape.nonEmptyListOf(TEXT))
                    .exactlyOne("post", "exec")
                    .build());

    private static final Shape FLOW = Shape.mapOf(NAME, Shape.either(NAME, Shape.mapOf(EXIT_CODE, NAME)));

    static final Shape ROOT = Shape.record("the job file")
            .required("job", NAME)
            .optional("revision", TEXT)
            .optional("description", TEXT)
            .optional("parameters", Shape.mapOf(PARAMETER_NAME, PARAMETER))
            .optional("directories", DIRECTORIES)
            .optional("time_zone", ZONE)
            .optional("recover", oneOf("fail", "restart"))
            .optional("max_concurrent", MAX_CONCURRENT)
            .unsupported("on", ON)
            .optional("cache", Shape.mapOf(DATA_SET_NAME, NON_EMPTY))
            .required("steps", Shape.nonEmptyListOf(StepGrammar.STEP))
            .optional("flow", FLOW)
            .build();

    private JobGrammar() {}
}
