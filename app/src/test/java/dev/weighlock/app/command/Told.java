package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What every refusal and failure owes its reader, and what it may leave. */
final class Told {
    private Told() {}

    /** One message with these parts, the exit code that is documented for it, and nothing of the program's inside. */
    static void clearly(Outcome outcome, int code, String... parts) {
        assertThat(outcome.code()).as(outcome.err()).isEqualTo(code);
        assertThat(outcome.err())
                .contains(parts)
                .doesNotContain("\tat ", "  at ", "Exception", "caused by", "dev.weighlock");
        assertThat(outcome.err().lines().filter(line -> line.startsWith("wl: ")))
                .hasSize(1);
    }

    /** All files below a folder but those of the record, as paths from there, sorted. */
    static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(file -> !file.startsWith(".weighlock/"))
                    .sorted()
                    .toList();
        }
    }
}
