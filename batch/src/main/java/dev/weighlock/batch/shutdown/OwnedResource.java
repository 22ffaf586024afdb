package dev.weighlock.batch.shutdown;

import java.time.Duration;
import java.util.List;

/**
 * Something besides tasks that a process owns and that needs time to end, such as a query backend. It is closed after the
 * tasks were joined, which may need it until then, and inside the same deadline. Thread-safe.
 */
public interface OwnedResource {
    String name();

    /**
     * Refuses what is new, asks what runs to end and waits for it, at most so long. Called once more, with no time, while
     * the first call still waits, when a second request ends the waiting.
     *
     * @return what is still held, each by a name that people can look for; empty once closed
     */
    List<String> close(Duration atMost) throws Exception;

    /** What a resource still held when its time was over. */
    record Held(String resource, String what) {
        @Override
        public String toString() {
            return resource + " still holds " + what;
        }
    }
}
