package dev.weighlock.app.command;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.sqlite.SQLiteDataSource;

/** Another process that holds a repository's write lock and is paused, as one under a debugger or in a frozen container is. */
final class LockHolder implements AutoCloseable {
    private final Process process;

    private LockHolder(Process process) {
        this.process = process;
    }

    static LockHolder pausedOn(Path repository, Path temporary) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        repository.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        LockHolder holder = new LockHolder(process);
        if (process.getInputStream().read() != '!' || !holder.pause()) {
            holder.close();
            throw new AssertionError("the other process took no lock");
        }
        return holder;
    }

    private boolean pause() throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("sh", "-c", "kill -STOP " + pid()).start();
        return kill.waitFor(300, TimeUnit.SECONDS) && kill.exitValue() == 0;
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The other process: takes the lock, says so, and holds it until it is killed or its parent is gone. */
    public static void main(String[] words) throws Exception {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + words[0]);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            System.out.write('!');
            System.out.flush();
            System.in.read();
        }
    }
}
