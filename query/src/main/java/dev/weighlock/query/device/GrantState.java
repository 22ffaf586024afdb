package dev.weighlock.query.device;

/** Where a grant stands. */
public enum GrantState {
    /** An attempt may use it. */
    LIVE,
    /** The attempt is over, the engine has not yet proved that it let go; every byte still counts. */
    CLEANING,
    /** Its bytes are free again; a row in this state only carries a frozen resident. */
    RELEASED
}
