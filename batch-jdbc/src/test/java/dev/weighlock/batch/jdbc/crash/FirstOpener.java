package dev.weighlock.batch.jdbc.crash;

import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens new repository files at the very moment when another process does. Arguments: folder, own number, rounds. */
final class FirstOpener {
    private static final int PROCESSES = 2;

    private FirstOpener() {}

    public static void main(String[] arguments) throws Exception {
        var folder = Path.of(arguments[0]);
        int rounds = Integer.parseInt(arguments[2]);
        for (int round = 1; round <= rounds; round++) {
            meet(folder, round, Integer.parseInt(arguments[1]));
            try (var repository = SqliteRepository.open(folder.resolve("round-" + round + ".db"))) {
                System.out.println(round + " " + repository.id());
            }
        }
    }

    private static void meet(Path folder, int round, int number) throws Exception {
        Files.createFile(folder.resolve(round + "-by-" + number));
        for (int other = 1; other <= PROCESSES; other++) {
            while (!Files.exists(folder.resolve(round + "-by-" + other))) {
                Thread.onSpinWait();
            }
        }
    }
}
