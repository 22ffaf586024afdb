package dev.weighlock.app.wiring;

import dev.weighlock.host.ClaimFolder;
import dev.weighlock.host.PrivateFolder;
import dev.weighlock.query.device.HostBudget;
import dev.weighlock.query.device.HostMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Finds the memory budget that all processes of this user on this machine share. */
public final class MachineBudget {
    static final String VARIABLE = "WEIGHLOCK_BUDGET_FOLDER";

    private MachineBudget() {}

    /** The budget to claim from, or to ask who holds what. */
    public static HostBudget of(Map<String, String> environment) throws IOException {
        HostMemory memory = HostMemory.probe();
        return new HostBudget(memory, ClaimFolder.at(folder(environment).resolve(memory.budget())), command());
    }

    /** Never below java.io.tmpdir: processes with different temporary folders share the memory all the same. */
    private static Path folder(Map<String, String> environment) throws IOException {
        String named = environment.get(VARIABLE);
        if (named != null && !named.isBlank()) {
            return Path.of(named).toAbsolutePath();
        }
        Path shared = Path.of("/tmp");
        return PrivateFolder.ofUser(Files.isDirectory(shared) ? shared : Path.of(System.getProperty("java.io.tmpdir")))
                .resolve("budget");
    }

    /** The command without its arguments, which are nobody else's business. */
    private static String command() {
        String[] words = System.getProperty("sun.java.command", "").split(" ", 3);
        return words.length > 1 && words[0].startsWith("dev.weighlock.app.") ? "wl " + words[1] : "java";
    }
}
