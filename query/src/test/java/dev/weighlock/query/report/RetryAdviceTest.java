package dev.weighlock.query.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.ReportOperation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetryAdviceTest {
    private static final ResourceEvidence LARGER_FITS = new ResourceEvidence(10, 20L);
    private static final ResourceEvidence LARGEST = new ResourceEvidence(20, 20L);
    private static final HealthTransition REUSE = HealthTransition.HEALTHY_REUSE;
    private static final HealthTransition QUARANTINED = HealthTransition.DEVICE_QUARANTINED;
    private static final HealthTransition UNHEALTHY = HealthTransition.BACKEND_UNHEALTHY;

    private record Row(
            RetryAdvice advice,
            ErrorCode code,
            @Nullable Reason reason,
            @Nullable HealthTransition health,
            @Nullable ResourceEvidence resource,
            boolean alternate) {}

    private static final List<Row> TABLE = List.of(
            row(RetryAdvice.DO_NOT_RETRY, ErrorCode.CANCELLED, Reason.DEADLINE_EXPIRED, UNHEALTHY, null, true),
            row(RetryAdvice.DO_NOT_RETRY, ErrorCode.DROPPED, null, null, null, false),
            row(RetryAdvice.DO_NOT_RETRY, ErrorCode.PANICKED, null, null, null, false),
            row(RetryAdvice.DO_NOT_RETRY, ErrorCode.SQL_ERROR, null, UNHEALTHY, null, true),
            row(RetryAdvice.DO_NOT_RETRY, ErrorCode.DATA_ERROR, null, REUSE, null, false),
            row(RetryAdvice.DO_NOT_RETRY, ErrorCode.STATEMENT_REFUSED, null, null, null, false),
            row(RetryAdvice.DO_NOT_RETRY, ErrorCode.INVALID_PLAN, null, null, null, false),
            row(RetryAdvice.BACKOFF, ErrorCode.SERVICE_OVERLOADED, Reason.ADMISSION_QUEUE_FULL, null, null, false),
            row(RetryAdvice.BACKOFF, ErrorCode.SERVICE_OVERLOADED, Reason.QUEUE_WAIT_ELAPSED, null, null, false),
            row(RetryAdvice.BACKOFF, ErrorCode.ENGINE_TEMPORARY_FAILURE, null, REUSE, LARGEST, false),
            row(RetryAdvice.BACKOFF, ErrorCode.DISK_FULL, null, REUSE, LARGEST, false),
            row(RetryAdvice.INDETERMINATE, ErrorCode.ENGINE_TEMPORARY_FAILURE, null, REUSE, null, false),
            row(
                    RetryAdvice.CHANGE_CONFIGURATION,
                    ErrorCode.QUERY_BUDGET_UNAVAILABLE,
                    Reason.QUERY_CAP_EXCEEDS_CAPACITY,
                    null,
                    null,
                    false),
            row(
                    RetryAdvice.CHANGE_CONFIGURATION,
                    ErrorCode.QUERY_BUDGET_UNAVAILABLE,
                    Reason.WOULD_WAIT_ON_ITSELF,
                    null,
                    null,
                    false),
            row(RetryAdvice.CHANGE_CONFIGURATION, ErrorCode.QUERY_TEMP_LIMIT_EXCEEDED, null, REUSE, null, false),
            row(RetryAdvice.CHANGE_CONFIGURATION, ErrorCode.RESULT_LIMIT_EXCEEDED, null, REUSE, null, false),
            row(RetryAdvice.RETRY_LARGER_GRANT, ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED, null, REUSE, LARGER_FITS, false),
            row(RetryAdvice.INDETERMINATE, ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED, null, REUSE, LARGEST, false),
            row(RetryAdvice.INDETERMINATE, ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED, null, REUSE, null, false),
            row(RetryAdvice.RETRY_ANOTHER_DEVICE, ErrorCode.DEVICE_FAULT, null, QUARANTINED, null, true),
            row(RetryAdvice.INDETERMINATE, ErrorCode.DEVICE_FAULT, null, QUARANTINED, null, false),
            row(RetryAdvice.INDETERMINATE, ErrorCode.DEVICE_FAULT, null, REUSE, null, true),
            row(RetryAdvice.RECOVER_BACKEND, ErrorCode.DEVICE_FAULT, null, UNHEALTHY, null, true),
            row(RetryAdvice.RECOVER_BACKEND, ErrorCode.SERVICE_OVERLOADED, Reason.BACKEND_UNHEALTHY, null, null, false),
            row(RetryAdvice.INDETERMINATE, ErrorCode.INTERNAL, null, REUSE, null, false),
            row(RetryAdvice.INDETERMINATE, ErrorCode.ENGINE_ERROR, null, REUSE, null, false));

    @Test
    void advice_forEveryRow_isTheTables() {
        assertThat(TABLE).allSatisfy(row -> assertThat(adviceFor(row)).isEqualTo(row.advice));
    }

    @Test
    void success_needsNoRetry_evenOnAnUnhealthyBackend() {
        assertThat(RetryAdvice.of(new RetryAdvice.Evidence(Outcome.SUCCEEDED, null, UNHEALTHY, null, true)))
                .isEqualTo(RetryAdvice.NO_RETRY_NEEDED);
    }

    private static RetryAdvice adviceFor(Row row) {
        var facts = row.reason == null ? Facts.none() : Facts.of(row.reason);
        var error = new QueryException(row.code, "test", "text", facts);
        return RetryAdvice.of(new RetryAdvice.Evidence(
                Outcome.of(error),
                FailureSummary.of(error, ReportOperation.EXECUTION),
                row.health,
                row.resource,
                row.alternate));
    }

    private static Row row(
            RetryAdvice advice,
            ErrorCode code,
            @Nullable Reason reason,
            @Nullable HealthTransition health,
            @Nullable ResourceEvidence resource,
            boolean alternate) {
        return new Row(advice, code, reason, health, resource, alternate);
    }
}
