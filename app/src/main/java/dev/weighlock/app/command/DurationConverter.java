package dev.weighlock.app.command;

import dev.weighlock.jobs.yaml.Scalars;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 10m}, as in job files. */
final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        return Scalars.DURATION_TEXT
                .parse(text)
                .filter(Duration::isPositive)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a duration such as 10s or 5m"));
    }
}
