package dev.weighlock.app.prove.stand;

/** One part of a campaign, with a file of its own. Stateless: it may run many times. */
public interface Report {
    /** Lower-case words joined by hyphens; part of its file's name. */
    String name();

    /** What it shows when it passes. */
    String proves();

    /** What a reader might think that it shows, and it does not. */
    String provesNot();

    /**
     * Does the work and says what was found; on one thread. What it throws fails the report, which is kept all the same.
     * Everything that it opened is closed when it returns.
     */
    void run(Stand stand, Findings findings) throws Exception;
}
