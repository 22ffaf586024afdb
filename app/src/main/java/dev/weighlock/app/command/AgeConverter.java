package dev.weighlock.app.command;

import dev.weighlock.jobs.yaml.Scalars;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How long ago: {@code 12h} or {@code 30d}; nothing at all is an age too. */
final class AgeConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        return Scalars.DURATION_TEXT
                .parse(text)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not an age such as 12h or 30d"));
    }
}
