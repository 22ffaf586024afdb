package dev.weighlock.batch.launch;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ParameterValue.SecretReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code env:NAME} and {@code file:PATH}. */
final class EnvironmentSecrets implements SecretResolver {
    private final Function<String, @Nullable String> environment;
    private final Path folder;

    EnvironmentSecrets(Function<String, @Nullable String> environment, Path folder) {
        this.environment = environment;
        this.folder = folder;
    }

    @Override
    public String resolve(SecretReference reference) {
        var text = reference.reference();
        var place = text.substring(text.indexOf(':') + 1);
        return text.startsWith("env:") ? variable(place, text) : file(place, text);
    }

    private String variable(String name, String reference) {
        var value = environment.apply(name);
        if (value == null) {
            throw new BatchException(
                    BatchError.INVALID_PARAMETER, "the secret " + reference + " is not set in the environment");
        }
        return value;
    }

    private String file(String path, String reference) {
        try {
            return Files.readString(folder.resolve(path)).stripTrailing();
        } catch (IOException e) {
            throw new BatchException(BatchError.INVALID_PARAMETER, "the secret " + reference + " cannot be read", e);
        }
    }
}
