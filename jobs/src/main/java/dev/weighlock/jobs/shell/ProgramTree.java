package dev.weighlock.jobs.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A program and everything that it began, also what has another parent by now: each process inherits a variable of the
 * program's own. Where the kernel shows no environments, those that still descend from the program. Immutable.
 */
record ProgramTree(String mark) {
    static final String VARIABLE = "WEIGHLOCK_STEP";
    private static final Path PROCESSES = Path.of("/proc");

    static ProgramTree next() {
        return new ProgramTree(UUID.randomUUID().toString());
    }

    /** The program first: one that waits for its children would take their end for its own success. */
    List<ProcessHandle> processes(Process program) {
        Stream<ProcessHandle> descendants = program.descendants();
        Stream<ProcessHandle> marked =
                Files.isDirectory(PROCESSES) ? ProcessHandle.allProcesses().filter(this::isMarked) : Stream.empty();
        return Stream.of(Stream.of(program.toHandle()), descendants, marked)
                .flatMap(some -> some)
                .distinct()
                .toList();
    }

    private boolean isMarked(ProcessHandle process) {
        Path environment = PROCESSES.resolve(Long.toString(process.pid())).resolve("environ");
        try {
            return Files.isReadable(environment)
                    && new String(Files.readAllBytes(environment), StandardCharsets.ISO_8859_1)
                            .contains(VARIABLE + "=" + mark);
        } catch (IOException goneOrAnothers) {
            return false;
        }
    }
}
