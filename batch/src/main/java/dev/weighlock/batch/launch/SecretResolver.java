package dev.weighlock.batch.launch;

import dev.weighlock.batch.ParameterValue.SecretReference;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds a secret's value at the start of each execution. */
@FunctionalInterface
public interface SecretResolver {
    /** @throws dev.weighlock.batch.BatchException INVALID_PARAMETER naming the reference, never a value */
    String resolve(SecretReference reference);

    /** Environment variables, and files (without the last line's end) from the current folder. */
    static SecretResolver environment() {
        return of(System.getenv()::get, Path.of(""));
    }

    /**
     * The same from another environment.
     *
     * @param folder where relative paths of files begin
     */
    static SecretResolver of(Function<String, @Nullable String> environment, Path folder) {
        return new EnvironmentSecrets(environment, folder);
    }
}
