package dev.weighlock.jobs.code;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says of the class of a java step that a crash or stop in its middle cannot double its effects: they commit with the
 * step, through {@link dev.weighlock.batch.step.StepContext#enlist}, or repeating them changes nothing.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ExactlyOnce {}
