package dev.weighlock.query.report;

import dev.weighlock.query.Reason;
import org.jspecify.annotations.Nullable;

/**
 * How an admitted attempt waited.
 *
 * @param reason the last reason for which it had to wait, when it is one of the closed reasons
 * @param passedBy how many later requests went first
 */
public record AdmissionWait(@Nullable Reason reason, int passedBy) {}
