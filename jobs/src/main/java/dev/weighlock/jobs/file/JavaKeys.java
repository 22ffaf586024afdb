package dev.weighlock.jobs.file;

import dev.weighlock.jobs.template.Argument;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A java step: a tasklet of the user's.
 *
 * @param with values for its constructor
 */
public record JavaKeys(String className, Map<String, Argument> with) implements StepWork {
    public JavaKeys {
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
    }
}
