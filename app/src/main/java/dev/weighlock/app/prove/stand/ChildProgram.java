package dev.weighlock.app.prove.stand;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM on this one's class path. */
public final class ChildProgram {
    private ChildProgram() {}

    /** The command that runs {@code main} with {@code words}. */
    public static List<String> command(Class<?> main, List<String> words) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-Xshare:auto"));
        command.add("--enable-native-access=ALL-UNNAMED");
        String library = System.getProperty("org.sqlite.lib.path");
        if (library != null) {
            command.add("-Dorg.sqlite.lib.path=" + library);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(words);
        return command;
    }
}
