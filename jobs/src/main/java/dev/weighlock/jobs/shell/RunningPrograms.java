package dev.weighlock.jobs.shell;

import dev.weighlock.batch.shutdown.OwnedResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The programs that shell steps of this process run now. The stop of a step asks its program to end; one that is still
 * there when the tasks were joined, or were not waited for, is killed, so that none outlives the process. Thread-safe.
 */
public final class RunningPrograms implements OwnedResource {
    /** A killed process is gone in milliseconds, unless the kernel holds it. */
    private static final Duration KILLED = Duration.ofMillis(500);

    private final Map<Process, Running> running = new ConcurrentHashMap<>();

    private record Running(String program, ProgramTree tree) {}

    void began(Process process, String program, ProgramTree tree) {
        running.put(process, new Running(program, tree));
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
        running.forEach((process, one) -> one.tree().processes(process).forEach(ProcessHandle::destroyForcibly));
        for (Process process : running.keySet()) {
            process.waitFor(KILLED.toMillis(), TimeUnit.MILLISECONDS);
        }
        return running.entrySet().stream()
                .filter(entry -> entry.getKey().isAlive())
                .map(entry -> "the program " + entry.getValue().program() + ", process "
                        + entry.getKey().pid())
                .toList();
    }
}
