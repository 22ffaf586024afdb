package dev.weighlock.jobs.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A text in the settings that may stand elsewhere: {@code env:NAME}, {@code file:PATH}, or itself. It is read each time
 * it is needed and never printed.
 *
 * @param folder where relative paths begin
 */
public record SecretText(String reference, Path folder) {
    /**
     * The text, without the line end that editors add to files.
     *
     * @throws ConfigurationException where the variable or file is missing
     */
    public String read(Map<String, String> environment) {
        if (reference.startsWith("env:")) {
            String name = reference.substring(4);
            String value = environment.get(name);
            if (value == null) {
                throw new ConfigurationException("the environment variable " + name + " is not set; set it");
            }
            return value;
        }
        return reference.startsWith("file:") ? readFile(folder.resolve(reference.substring(5))) : reference;
    }

    private static String readFile(Path path) {
        try {
            return Files.readString(path).stripTrailing();
        } catch (IOException unreadable) {
            throw new ConfigurationException(
                    "the secret file " + path + " cannot be read; check its name and rights", unreadable);
        }
    }

    /** The place only where the text stands elsewhere; otherwise nothing of it. */
    @Override
    public String toString() {
        return reference.startsWith("env:") || reference.startsWith("file:") ? reference : "(set)";
    }
}
