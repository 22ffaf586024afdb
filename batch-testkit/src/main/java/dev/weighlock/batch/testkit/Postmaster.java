package dev.weighlock.batch.testkit;

import dev.weighlock.batch.testkit.EmbeddedServer.Stop;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Stops and starts a server through {@code pg_ctl}, as its administrator does.
 *
 * @param programs the folder of {@code pg_ctl}
 * @param options of the running server, quoted for a shell
 */
record Postmaster(Path programs, Path data, String options) {
    private static final int LONGEST_SECONDS = 60;

    static Postmaster of(EmbeddedServer server) throws SQLException {
        try (var connection = server.connect(EmbeddedDatabase.USER);
                var statement = connection.createStatement();
                var row = statement.executeQuery("""
                        SELECT setting, current_setting('data_directory') FROM pg_config WHERE name = 'BINDIR'
                        """)) {
            row.next();
            var data = Path.of(row.getString(2));
            return new Postmaster(Path.of(row.getString(1)), data, options(data));
        }
    }

    /** The file holds the whole command: program, folder of the data, then the rest. */
    private static String options(Path data) {
        try {
            var command = Files.readString(data.resolve("postmaster.opts")).strip();
            var folder = "\"" + data + "\"";
            return command.substring(command.indexOf(folder) + folder.length()).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("the options of the server in " + data + " cannot be read", e);
        }
    }

    void stop(Stop how) {
        control(List.of("-m", how.name().toLowerCase(Locale.ROOT), "stop"));
    }

    void start() {
        control(List.of("-o", options, "-l", data.resolve("again.log").toString(), "start"));
    }

    private void control(List<String> more) {
        var command = new ArrayList<String>();
        if (LinuxUtils.isUnshareAvailable()) {
            // The server runs as nobody in particular where the tests run as root, and so must its administrator.
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(programs.resolve("pg_ctl").toString(), "-D", data.toString(), "-w"));
        command.addAll(List.of("-t", Integer.toString(LONGEST_SECONDS)));
        command.addAll(more);
        var output = data.resolve("pg_ctl.log");
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .start();
            if (!process.waitFor(2 * LONGEST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(more.getLast() + " failed: " + Files.readString(output));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("pg_ctl cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while pg_ctl ran", e);
        }
    }
}
