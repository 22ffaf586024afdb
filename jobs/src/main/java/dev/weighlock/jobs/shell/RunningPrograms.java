package dev.weighlock.jobs.shell;

import dev.weighlock.batch.shutdown.OwnedResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The programs that shell steps of this process run now. The stop of a step asks its program to end; one that is still
 * there when the tasks were joined, or were not waited for, is killed, so that none outlives the process. Thread-safe.
 */
public final class RunningPrograms implements OwnedResource {
    /** A killed process is gone in milliseconds, unless the kernel holds it. */
    private static final Duration KILLED = Duration.ofMillis(500);

    private final Map<Process, String> running = new ConcurrentHashMap<>();

    void began(Process process, String program) {
        running.put(process, program);
    }

    void ended(Process process) {
        running.remove(process);
    }

    @Override
    public String name() {
        return "a shell step";
    }

    @Override
    public List<String> close(Duration atMost) throws InterruptedException {
        for (Process process : running.keySet()) {
            kill(process);
        }
        for (Process process : running.keySet()) {
            process.waitFor(KILLED.toMillis(), TimeUnit.MILLISECONDS);
        }
        return running.entrySet().stream()
                .filter(entry -> entry.getKey().isAlive())
                .map(entry -> "the program " + entry.getValue() + ", process "
                        + entry.getKey().pid())
                .toList();
    }

    static void kill(Process process) {
        // The descendants are looked for first: those of a dead process are nobody's.
        Stream.concat(process.descendants().toList().stream(), Stream.of(process.toHandle()))
                .forEach(ProcessHandle::destroyForcibly);
    }
}
