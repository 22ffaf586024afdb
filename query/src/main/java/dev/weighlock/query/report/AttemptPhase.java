package dev.weighlock.query.report;

import dev.weighlock.query.ReportOperation;

/** What an attempt is doing, told by the boundaries it has crossed. */
public enum AttemptPhase {
    PLANNING(ReportOperation.PLANNING),
    /** Refused before it could queue. */
    ADMISSION(ReportOperation.ADMISSION),
    QUEUE(ReportOperation.ADMISSION),
    EXECUTION(ReportOperation.EXECUTION),
    FETCH(ReportOperation.FETCH),
    CLEANUP(ReportOperation.CLEANUP);

    private final ReportOperation operation;

    AttemptPhase(ReportOperation operation) {
        this.operation = operation;
    }

    /** The operation that a failure in this phase is reported under. */
    public ReportOperation operation() {
        return operation;
    }
}
