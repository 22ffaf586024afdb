package dev.weighlock.query.report;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ErrorStatus;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.ReportOperation;

/** Reports to read and write. */
public final class ReportSamples {
    private ReportSamples() {}

    /** A report with every field present. */
    public static AttemptReport full() {
        var id = new AttemptId(-7, 41);
        var failure = FailureSummary.of(
                new QueryException(ErrorCode.ENGINE_TEMPORARY_FAILURE, "test", "text", Facts.of(Reason.RESIDENTS)),
                ReportOperation.EXECUTION);
        return new AttemptReport(
                new AttemptIdentity(id, new QueryId("orders \"by\" day"), new TraceContext("00-ab-cd-01"), "duckdb"),
                Disposition.PARTIAL_NATIVE,
                Outcome.failed(ErrorCode.ENGINE_TEMPORARY_FAILURE, ErrorStatus.TEMPORARY),
                failure,
                RetryAdvice.BACKOFF,
                new AdmissionFact(9, 5, 3, 1 << 20),
                new AdmissionWait(Reason.RESIDENTS, 2),
                new ComposedSchedule(id, 3),
                new Timestamps(1, 2L, 3L, 4L, 9L, 10L, 11L, 12, 13L, 14L),
                new CleanupFacts(
                        CleanupDisposition.COMPLETED_WITH_FAILURES,
                        2,
                        true,
                        new CleanupFailure(CleanupPhase.SPILL_DIRECTORY, failure, false)),
                new CapacityFacts(
                        CapacityDisposition.RETAINED_QUARANTINE,
                        new DomainUsage(101, true, 1, 1024, 768, 3, 512, 1024, 4, 640, 9, 5, 4, 2, 64),
                        HealthTransition.DEVICE_QUARANTINED,
                        new FaultEvidence(
                                FaultEvidence.Isolation.DEVICE_LOCAL,
                                FaultEvidence.TeardownHealth.COMPLETED,
                                new FaultEvidence.DeviceHealth(FaultEvidence.DeviceStatus.UNHEALTHY, 1, 2, 3),
                                new FaultEvidence.Fault(FaultEvidence.FaultKind.FATAL_DEVICE_OPERATION, 0xFFFF_FFFFL)),
                        new ResourceEvidence(1 << 20, 1L << 30),
                        999L,
                        7L),
                new ResultFacts(12, true),
                AttemptPhase.FETCH,
                CancelReason.CLIENT_LOST,
                new ObservationCompleteness(1, 2, 128, true, false),
                1_700_000_000_000_000_000L);
    }

    /** A report with no optional field present. */
    public static AttemptReport bare() {
        return new AttemptReport(
                new AttemptIdentity(new AttemptId(7, 42), null, null, "scripted"),
                Disposition.UNPLANNED,
                Outcome.SUCCEEDED,
                null,
                RetryAdvice.NO_RETRY_NEEDED,
                null,
                null,
                null,
                new Timestamps(0, null, null, null, null, null, null, 0, null, null),
                new CleanupFacts(CleanupDisposition.NOT_REQUIRED, 0, true, null),
                CapacityFacts.NOT_ADMITTED,
                ResultFacts.NONE,
                AttemptPhase.PLANNING,
                null,
                new ObservationCompleteness(0, 0, 0, false, false),
                null);
    }
}
