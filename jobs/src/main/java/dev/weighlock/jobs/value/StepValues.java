package dev.weighlock.jobs.value;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.ParameterValue;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.step.JobContext;
import dev.weighlock.batch.step.PartitionScope;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.sql.SqlTemplate;
import dev.weighlock.jobs.template.Argument;
import dev.weighlock.jobs.template.PathTemplate;
import dev.weighlock.jobs.template.Reference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the references of one running step, partition or decision stand for. For one thread. */
public final class StepValues {
    private final JobContext context;
    private final Optional<PartitionScope> partition;
    private final Set<String> stepIds;

    /**
     * The values of a step.
     *
     * @param stepIds of the whole job, which tell a step's context from a parameter
     */
    public StepValues(StepContext context, Set<String> stepIds) {
        this(context, context.partition(), stepIds);
    }

    private StepValues(JobContext context, Optional<PartitionScope> partition, Set<String> stepIds) {
        this.context = context;
        this.partition = partition;
        this.stepIds = stepIds;
    }

    /** The values outside of any step, as a decision sees them. */
    public static StepValues outside(JobContext context, Set<String> stepIds) {
        return new StepValues(context, Optional.empty(), stepIds);
    }

    /**
     * An argument with its value.
     *
     * @throws StepFailure where a value is missing
     */
    public String argument(Argument argument) {
        return argument.reference()
                .map(reference -> isSecret(reference) ? secret(reference) : text(reference))
                .orElse(argument.text());
    }

    /** Whether the argument's value must never be shown. */
    public boolean isSecret(Argument argument) {
        return argument.reference().filter(this::isSecret).isPresent();
    }

    private boolean isSecret(Reference reference) {
        return reference instanceof Reference.Parameter parameter
                && context.parameters()
                        .value(parameter.name())
                        .filter(ParameterValue.SecretReference.class::isInstance)
                        .isPresent();
    }

    private String secret(Reference reference) {
        return context.secret(((Reference.Parameter) reference).name());
    }

    /** The values of a text's bound names, as they are bound. */
    public Map<String, @Nullable Object> bound(SqlTemplate sql) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (String name : sql.boundNames()) {
            values.put(name, value(name));
        }
        return values;
    }

    /** The value of one bound name. */
    public @Nullable Object value(String sqlName) {
        return value(Reference.ofSqlName(sqlName, stepIds));
    }

    /** The identifier that a checked name of SQL stands for, not yet checked. */
    public String identifier(String sqlName) {
        return text(Reference.ofSqlName(sqlName, stepIds));
    }

    /**
     * A path with its values.
     *
     * @throws StepFailure where a value is missing or empty
     */
    public String path(PathTemplate path) {
        try {
            return path.resolve(this::text);
        } catch (IllegalArgumentException empty) {
            throw new StepFailure(FailureCategory.STEP_FAILED, empty.getMessage() + "; give it a value", empty);
        }
    }

    private String text(Reference reference) {
        Object value = value(reference);
        if (value == null) {
            throw missing(reference, "is NULL");
        }
        return ValueText.of(value);
    }

    private @Nullable Object value(Reference reference) {
        return switch (reference) {
            case Reference.Parameter parameter -> parameter(parameter);
            case Reference.PartitionKey _ -> key(reference);
            case Reference.PartitionColumn column -> kept(scope(reference).input(), column.column(), reference);
            case Reference.StepContext step ->
                kept(context.stepContext(new StepName(step.step())), step.key(), reference);
        };
    }

    /** The key with the type it was planned with: the first column of its row. */
    private @Nullable Object key(Reference reference) {
        PartitionScope scope = scope(reference);
        Map<String, @Nullable Object> row = scope.input().asMap();
        return row.isEmpty()
                ? scope.key()
                : ContextCodec.decode(row.values().iterator().next());
    }

    private PartitionScope scope(Reference reference) {
        return partition.orElseThrow(() -> missing(reference, "has no value: there is no partition"));
    }

    private static @Nullable Object kept(ExecutionContext from, String key, Reference reference) {
        if (!from.asMap().containsKey(key)) {
            throw missing(reference, "has no value; there are " + from.asMap().keySet());
        }
        return ContextCodec.decode(from.asMap().get(key));
    }

    private Object parameter(Reference.Parameter parameter) {
        ParameterValue value = context.parameters()
                .value(parameter.name())
                .orElseThrow(() -> missing(parameter, "was given no value"));
        return switch (value) {
            case ParameterValue.StringValue string -> string.value();
            case ParameterValue.LongValue number -> number.value();
            case ParameterValue.DecimalValue number -> number.value();
            case ParameterValue.BooleanValue flag -> flag.value();
            case ParameterValue.DateValue date -> date.value();
            case ParameterValue.DateTimeValue time -> time.value();
            case ParameterValue.InstantValue instant -> instant.value();
            case ParameterValue.DoubleValue number -> number.value();
            case ParameterValue.SecretReference _ -> throw missing(parameter, "is a secret and has no place here");
        };
    }

    private static StepFailure missing(Reference reference, String what) {
        return new StepFailure(
                FailureCategory.STEP_FAILED,
                "'%s' %s; correct the job file or its parameters".formatted(reference.shown(), what));
    }
}
