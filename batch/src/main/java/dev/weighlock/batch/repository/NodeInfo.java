package dev.weighlock.batch.repository;

/**
 * A process that runs executions.
 *
 * @param id unique for ever, such as a random UUID
 * @param host and {@code pid}: for people
 */
public record NodeInfo(String id, String host, long pid) {
    /** What messages call it. */
    public String name() {
        return "node " + id + " (" + host + ", pid " + pid + ")";
    }
}
