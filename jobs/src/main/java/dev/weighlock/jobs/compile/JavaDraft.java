package dev.weighlock.jobs.compile;

import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.template.Argument;
import java.util.LinkedHashMap;
import java.util.Map;

/** A java step. For one thread. */
public final class JavaDraft extends StepDraft<JavaDraft> {
    private final String className;
    private final Map<String, Argument> with = new LinkedHashMap<>();

    JavaDraft(JobSteps job, String id, String className) {
        super(job, id);
        this.className = className;
    }

    @Override
    JavaDraft self() {
        return this;
    }

    /** A value for its constructor. */
    public JavaDraft with(String name, String value) {
        with.put(name, Argument.parse(value));
        return this;
    }

    @Override
    JavaKeys work() {
        return new JavaKeys(className, with);
    }
}
