package dev.weighlock.app.prove.soak;

/** What goes wrong in the first attempt of a cycle; they come in turns. */
enum Failure {
    /** The last step's body throws. */
    BODY,
    /** The database refuses the rows of one chunk of one partition. */
    WRITE,
    /** A query fails in the middle of its work. */
    QUERY,
    /** An operator stops the job while the last step works. */
    STOP;

    static Failure of(int cycle) {
        return values()[cycle % values().length];
    }
}
