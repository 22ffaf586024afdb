package dev.weighlock.jobs.parameter;

import java.time.ZoneId;
import java.util.Optional;

/**
 * A parameter as a job file declares it.
 *
 * @param identifying whether it tells one job instance from another
 * @param defaultText as written; a parameter without one is required
 * @param zone in which {@code today} and {@code now} are read
 */
public record ParameterDeclaration(
        String name, ParameterType type, boolean identifying, Optional<String> defaultText, ZoneId zone) {}
