package dev.weighlock.app.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A small source folder around a copy of {@code wl}, with stand-ins for Maven and Java that write down how they were called. */
final class Checkout {
    private static final long PATIENCE_SECONDS = 120;
    /** The programs that wl may use besides Java and Maven. */
    private static final List<String> PROGRAMS = List.of(
            "sh",
            "sed",
            "head",
            "tr",
            "find",
            "sort",
            "xargs",
            "cksum",
            "touch",
            "mkdir",
            "ln",
            "readlink",
            "dirname",
            "rm",
            "rmdir",
            "mv",
            "cat",
            "grep",
            "sleep",
            "tee",
            "awk",
            "cut",
            "stty");

    final Path root;
    final Path bin;
    final Path home;

    record Outcome(int code, String out, String err) {}

    Checkout(Path folder) throws IOException {
        root = Files.createDirectories(folder.resolve("source tree"));
        bin = Files.createDirectories(folder.resolve("bin"));
        home = Files.createDirectories(folder.resolve("home"));
        Files.copy(repositoryRoot().resolve("wl"), root.resolve("wl"), StandardCopyOption.COPY_ATTRIBUTES);
        write(root.resolve("pom.xml"), "<project/>");
        write(root.resolve("app/pom.xml"), "<project/>");
        write(root.resolve(".mvn/jvm.config"), "-Xmx1g");
        write(root.resolve("app/src/main/java/A.java"), "class A {}");
        for (String program : PROGRAMS) {
            script(bin.resolve(program), "exec " + find(program) + " \"$@\"");
        }
    }

    /** The folder that holds wl, whatever module the tests run in. */
    static Path repositoryRoot() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("wl"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("no wl above " + Path.of("").toAbsolutePath());
        }
        return folder;
    }

    private static Path find(String program) {
        for (String folder : List.of("/bin", "/usr/bin")) {
            Path candidate = Path.of(folder, program);
            if (Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        throw new IllegalStateException("this machine has no " + program);
    }

    /** A Maven that counts its calls in {@code mvn.calls} and builds an empty jar. */
    Checkout withMaven() throws IOException {
        script(bin.resolve("mvn"), """
                echo "$JAVA_HOME" >> "%s/mvn.calls"
                mkdir -p "%s/app/target/lib"
                : > "%s/app/target/weighlock.jar"
                """.formatted(root, root, root));
        return this;
    }

    Checkout withFailingMaven() throws IOException {
        script(bin.resolve("mvn"), "echo '[ERROR] A.java:[1,1] does not compile'; exit 1");
        return this;
    }

    /** A JDK folder whose java prints its arguments. */
    Path jdk(String name, String version) throws IOException {
        Path folder = home.resolve(name);
        write(folder.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        script(folder.resolve("bin/java"), "echo \"" + name + "\"; for word in \"$@\"; do echo \"$word\"; done");
        script(folder.resolve("bin/javac"), "exit 0");
        return folder;
    }

    void onPath(Path program) throws IOException {
        Files.createSymbolicLink(bin.resolve(program.getFileName()), program);
    }

    long builds() throws IOException {
        Path calls = root.resolve("mvn.calls");
        return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
    }

    Outcome run(Map<String, String> environment, String... arguments) throws Exception {
        return run(root.resolve("wl"), environment, arguments);
    }

    Outcome run(Path wl, Map<String, String> environment, String... arguments) throws Exception {
        Process process = start(wl, environment, arguments);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("wl did not end");
        }
        return new Outcome(
                process.exitValue(),
                Files.readString(home.resolve("out." + process.pid())),
                Files.readString(home.resolve("err." + process.pid())));
    }

    private Process start(Path wl, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("/bin/sh", "-c", "exec >\"$HOME/out.$$\" 2>\"$HOME/err.$$\"; exec \"$0\" \"$@\""));
        command.add(wl.toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().put("PATH", bin.toString());
        builder.environment().put("HOME", home.toString());
        builder.environment().put("WEIGHLOCK_JDK_PLACES", "");
        builder.environment().putAll(environment);
        builder.directory(home.toFile());
        return builder.start();
    }

    static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    static void script(Path file, String body) throws IOException {
        write(file, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
