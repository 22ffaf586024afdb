package dev.weighlock.batch.jdbc.postgres;

/** Whether a stop request reaches this process at once, or only with its next poll. */
public sealed interface PushState {
    /** A notification sent through the repository's connections was received. */
    record On() implements PushState {}

    /** @param why for people */
    record Off(String why) implements PushState {}

    default boolean isOn() {
        return this instanceof On;
    }
}
