package dev.weighlock.app.command;

import dev.weighlock.jobs.yaml.Scalars;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 64MiB}, as in job files. */
final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        return Scalars.SIZE_TEXT
                .parse(text)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a size such as 64MiB or 1GiB"));
    }
}
