package dev.weighlock.app.command;

import dev.weighlock.app.terminal.Signals;
import dev.weighlock.app.terminal.Terminal;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where and how the program was called.
 *
 * @param folder absolute; relative paths of options begin here
 * @param signals of this process
 */
public record Invocation(Terminal terminal, Path folder, Map<String, String> environment, Signals signals) {
    /** Called from a program that keeps its signals for itself. */
    public Invocation(Terminal terminal, Path folder, Map<String, String> environment) {
        this(terminal, folder, environment, Signals.none());
    }

    /** Who acts, for the audit: the user and the machine's name where the environment tells. */
    public String actor() {
        String user = System.getProperty("user.name", "unknown");
        String host = environment.getOrDefault("HOSTNAME", environment.getOrDefault("HOST", ""));
        return host.isEmpty() ? "cli:" + user : "cli:" + user + "@" + host;
    }

    /** A path as the user gave it, from the folder of the call. Stays relative where that folder is the process's own. */
    public Path resolve(Path path) {
        return folder.equals(Path.of("").toAbsolutePath()) ? path : folder.resolve(path);
    }

    public Invocation inFolder(Path other) {
        return new Invocation(terminal, other.toAbsolutePath().normalize(), environment, signals);
    }
}
