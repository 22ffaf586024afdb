package dev.weighlock.batch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A job's parameters in the order given. Immutable. */
public final class JobParameters {
    /**
     * A value and its role.
     *
     * @param identifying whether it tells one job instance from another
     */
    public record Parameter(ParameterValue value, boolean identifying) {
        /** @throws BatchException INVALID_PARAMETER for an identifying secret */
        public Parameter {
            if (identifying && value instanceof ParameterValue.SecretReference) {
                throw new BatchException(BatchError.INVALID_PARAMETER, "a secret parameter cannot be identifying");
            }
        }
    }

    public static final JobParameters NONE = new JobParameters(new LinkedHashMap<>());

    private final SequencedMap<ParameterName, Parameter> parameters;

    private JobParameters(SequencedMap<ParameterName, Parameter> parameters) {
        this.parameters = parameters;
    }

    /** A copy of {@code parameters}, in its iteration order. */
    public static JobParameters of(Map<ParameterName, Parameter> parameters) {
        return new JobParameters(new LinkedHashMap<>(parameters));
    }

    /** These and one more identifying parameter. */
    public JobParameters with(String name, ParameterValue value) {
        return with(name, new Parameter(value, true));
    }

    /** These and one more parameter; one of the same name is replaced. */
    public JobParameters with(String name, Parameter parameter) {
        var copy = new LinkedHashMap<>(parameters);
        copy.put(new ParameterName(name), parameter);
        return new JobParameters(copy);
    }

    public Optional<ParameterValue> value(String name) {
        return Optional.ofNullable(parameters.get(new ParameterName(name))).map(Parameter::value);
    }

    /** An unmodifiable view in the order given. */
    public SequencedMap<ParameterName, Parameter> asMap() {
        return Collections.unmodifiableSequencedMap(parameters);
    }

    /** SHA-256 over names, types and texts of the identifying parameters, sorted by name: 64 hexadecimal digits. */
    public String identity() {
        var digest = sha256();
        new TreeMap<>(parameters).forEach((name, parameter) -> {
            if (parameter.identifying()) {
                update(digest, name.value());
                update(digest, parameter.value().type());
                update(digest, parameter.value().text());
            }
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void update(MessageDigest digest, String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Equal names, values and roles; the order does not matter. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobParameters that && parameters.equals(that.parameters);
    }

    @Override
    public int hashCode() {
        return parameters.hashCode();
    }

    @Override
    public String toString() {
        return parameters.toString();
    }
}
