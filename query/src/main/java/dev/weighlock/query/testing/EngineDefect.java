package dev.weighlock.query.testing;

/** What a {@link ScriptedEngine} does wrong when a test wants to see that it is noticed. */
public enum EngineDefect {
    PLAN_EVALUATES,
    PLAN_IGNORES_ITS_LIMIT,
    PLAN_SWALLOWS_INTERRUPTS,
    PLAN_CALLS_ALL_A_QUERY,
    /** A cancel before execute is forgotten. */
    LOSES_EARLY_CANCEL,
    DEAF_IN_EXECUTE,
    DEAF_IN_FETCH,
    /** Cancel returns only when the engine has stopped. */
    CANCEL_WAITS,
    /** A cancel after the end makes the release fail. */
    LATE_CANCEL_BREAKS,
    IGNORES_MEMORY_LIMIT,
    IGNORES_TEMP_LIMIT,
    IGNORES_RESULT_LIMIT,
    HIDES_A_FULL_DISK,
    BLAMES_THE_ENGINE,
    BLAMES_THE_CALLER,
    /** The cause of a failed source is dropped. */
    HIDES_THE_SOURCE,
    /** A stream that broke off looks like one that ended. */
    TRUNCATES,
    /** A stream comes to its end and says that the end is not proved. */
    ENDS_UNPROVED,
    HIDES_ITS_SPILLING,
    SHARES_ITS_SPILL_FOLDER,
    LEAVES_ITS_SPILL_FILES,
    LEAVES_ITS_FOLDER_ON_CLOSE,
    OPENS_ANY_FILE,
    WRITES_ANYWHERE,
    NEVER_PROVES_ITS_RELEASE
}
