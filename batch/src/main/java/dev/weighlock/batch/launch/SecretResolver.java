package dev.weighlock.batch.launch;

import dev.weighlock.batch.ParameterValue.SecretReference;

/** Finds a secret's value at the start of each execution. */
@FunctionalInterface
public interface SecretResolver {
    /** @throws dev.weighlock.batch.BatchException INVALID_PARAMETER naming the reference, never a value */
    String resolve(SecretReference reference);

    /** Environment variables, and files (without the last line's end) from the current folder. */
    static SecretResolver environment() {
        return new EnvironmentSecrets(System.getenv()::get);
    }
}
