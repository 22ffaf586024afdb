package dev.weighlock.query.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.engine.PlanRequest;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Planning parses and classifies, and nothing else. */
abstract class PlanningCases extends EngineCase {
    @Test
    void plan_ofAQuery_neitherBindsNorEvaluates() {
        assertThat(plan(under.doesNotBind()).values()).isEmpty();
        assertThat(plan(under.doesNotEvaluate()).values()).isEmpty();
        assertCode(ErrorCode.SQL_ERROR, failure(() -> plan(under.doesNotParse())));
    }

    @Test
    void plan_overItsLimit_failsAndServesTheNext() {
        var impossible = new PlanRequest(under.rows(1), in, Duration.ofNanos(1));
        assertCode(ErrorCode.ENGINE_TEMPORARY_FAILURE, failure(() -> engine.plan(impossible)));
        assertThat(plan(under.rows(1)).sql()).isNotBlank();
    }

    @Test
    void plan_interrupted_isCancelledAndServesTheNext() {
        var error = failure(() -> {
            Thread.currentThread().interrupt();
            return plan(under.rows(1));
        });
        assertCode(ErrorCode.CANCELLED, error);
        assertThat(plan(under.rows(1)).sql()).isNotBlank();
    }

    @Test
    void plan_ofWhatIsNoQuery_isRefusedBeforeAnyGrant() {
        for (var sql : under.refused()) {
            var summary = await(submit(sql));
            assertThat(summary.error()).as(sql).isNotNull();
            assertThat(summary.report().admission()).as(sql).isNull();
            assertCode(ErrorCode.STATEMENT_REFUSED, Objects.requireNonNull(summary.error()));
        }
        assertThat(gated.sessions()).isZero();
    }
}
