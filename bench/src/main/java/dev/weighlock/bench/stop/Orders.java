package dev.weighlock.bench.stop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Tells a process which job to run next, by files in a folder that both know.
 *
 * <p>Each side for one thread.
 */
final class Orders {
    private static final long PAUSE_MILLIS = 5;
    private static final String END = "end";

    private final Path folder;
    private int turn;

    Orders(Path folder) {
        this.folder = folder;
    }

    /** The next job's number. */
    int give(Work work, int partitions) throws IOException {
        write(work + " " + partitions);
        return turn;
    }

    void end() throws IOException {
        write(END);
    }

    private void write(String words) throws IOException {
        turn++;
        Path part = Files.writeString(folder.resolve("part"), words);
        Files.move(part, file(), StandardCopyOption.ATOMIC_MOVE);
    }

    private Path file() {
        return folder.resolve("order-" + turn);
    }

    /** Runs what is ordered until the end is. */
    void follow(Runner runner) throws Exception {
        while (true) {
            turn++;
            while (!Files.exists(file())) {
                Thread.sleep(PAUSE_MILLIS);
            }
            String[] words = Files.readString(file()).split(" ", -1);
            if (words[0].equals(END)) {
                return;
            }
            runner.run(Work.valueOf(words[0]), Integer.parseInt(words[1]));
        }
    }
}
