package dev.weighlock.batch;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;

/**
 * A job parameter's typed value, normalised when built to the precision that is stored, so that a value read back
 * equals the one given: instants and date-times to the microsecond, decimals without trailing zeros.
 */
public sealed interface ParameterValue {
    /** The type's label in files, JSON and the repository. */
    String type();

    /** The one text of this value; equal texts of one type mean equal values. For a secret, the reference. */
    String text();

    /** @param value at most 64 KiB of UTF-8 */
    record StringValue(String value) implements ParameterValue {
        private static final int MAX_BYTES = 64 * 1024;

        /** @throws BatchException INVALID_PARAMETER when too long or with a NUL character */
        public StringValue {
            if (value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
                throw invalid("a string parameter is limited to 64 KiB");
            }
            if (value.indexOf('\0') >= 0) {
                throw invalid("a string parameter must not contain a NUL character");
            }
        }

        @Override
        public String type() {
            return "string";
        }

        @Override
        public String text() {
            return value;
        }
    }

    record LongValue(long value) implements ParameterValue {
        @Override
        public String type() {
            return "long";
        }

        @Override
        public String text() {
            return Long.toString(value);
        }
    }

    /** Compared by value: 1.0 and 1.00 are one decimal. */
    record DecimalValue(BigDecimal value) implements ParameterValue {
        private static final int MAX_DIGITS = 1000;

        /** @throws BatchException INVALID_PARAMETER beyond 1,000 digits on either side of the point */
        public DecimalValue {
            value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
            if (value.precision() > MAX_DIGITS || Math.abs((long) value.scale()) > MAX_DIGITS) {
                throw invalid("a decimal parameter is limited to 1000 digits");
            }
            if (value.scale() < 0) {
                value = value.setScale(0);
            }
        }

        @Override
        public String type() {
            return "decimal";
        }

        @Override
        public String text() {
            return value.toPlainString();
        }
    }

    record BooleanValue(boolean value) implements ParameterValue {
        @Override
        public String type() {
            return "boolean";
        }

        @Override
        public String text() {
            return Boolean.toString(value);
        }
    }

    record DateValue(LocalDate value) implements ParameterValue {
        @Override
        public String type() {
            return "date";
        }

        @Override
        public String text() {
            return value.toString();
        }
    }

    record DateTimeValue(LocalDateTime value) implements ParameterValue {
        public DateTimeValue {
            value = value.truncatedTo(ChronoUnit.MICROS);
        }

        @Override
        public String type() {
            return "date_time";
        }

        @Override
        public String text() {
            return value.toString();
        }
    }

    record InstantValue(Instant value) implements ParameterValue {
        public InstantValue {
            value = value.truncatedTo(ChronoUnit.MICROS);
        }

        @Override
        public String type() {
            return "instant";
        }

        @Override
        public String text() {
            return value.toString();
        }
    }

    /** Finite; negative zero becomes zero. */
    record DoubleValue(double value) implements ParameterValue {
        /** @throws BatchException INVALID_PARAMETER when not finite */
        public DoubleValue {
            if (!Double.isFinite(value)) {
                throw invalid("a double parameter must be finite");
            }
            value = value == 0 ? 0.0 : value;
        }

        @Override
        public String type() {
            return "double";
        }

        @Override
        public String text() {
            return Double.toString(value);
        }
    }

    /**
     * Where a secret is found at each start; its value is never kept here, nor printed.
     *
     * @param reference {@code env:NAME} or {@code file:PATH}
     */
    record SecretReference(String reference) implements ParameterValue {
        /** @throws BatchException INVALID_PARAMETER when it is neither form */
        public SecretReference {
            if (!reference.matches("(env|file):\\S.*")) {
                throw invalid("a secret is given as env:NAME or file:PATH");
            }
        }

        @Override
        public String type() {
            return "secret";
        }

        @Override
        public String text() {
            return reference;
        }
    }

    private static BatchException invalid(String message) {
        return new BatchException(BatchError.INVALID_PARAMETER, message);
    }
}
