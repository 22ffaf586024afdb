package dev.weighlock.query.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.FactKey;
import org.junit.jupiter.api.Test;

class ReportJsonTest {
    @Test
    void fullReport_writtenAndRead_isEqual() {
        var json = ReportJson.write(ReportSamples.full());
        assertThat(ReportJson.read(json)).isEqualTo(ReportSamples.full());
        assertThat(json)
                .startsWith("{\"schema\":\"weighlock.attempt-report/1\",\"attempt_id\":\"fffffffffffffff9-41\"")
                .contains("\"status\":4294967295")
                .contains("\"cancel_reason\":\"client_lost\"")
                .contains(
                        "\"outcome\":{\"kind\":\"FAILED\",\"code\":\"ENGINE_TEMPORARY_FAILURE\",\"status\":\"TEMPORARY\"}")
                .contains("\"facts\":[{\"key\":\"reason\",\"value\":\"residents\"}]");
    }

    @Test
    void bareReport_leavesAbsentValuesOut() {
        var json = ReportJson.write(ReportSamples.bare());
        assertThat(ReportJson.read(json)).isEqualTo(ReportSamples.bare());
        assertThat(json)
                .isEqualTo("{\"schema\":\"weighlock.attempt-report/1\",\"attempt_id\":\"0000000000000007-42\","
                        + "\"engine\":\"scripted\",\"disposition\":\"UNPLANNED\",\"outcome\":{\"kind\":\"SUCCEEDED\"},"
                        + "\"phase_at_end\":\"PLANNING\",\"retry_advice\":\"NO_RETRY_NEEDED\","
                        + "\"timestamps\":{\"submitted\":0,\"outcome_terminal\":0},"
                        + "\"cleanup_disposition\":\"NOT_REQUIRED\",\"cleanup_failure_count\":0,"
                        + "\"cleanup_failure_count_complete\":true,\"capacity_disposition\":\"NOT_ADMITTED\","
                        + "\"result_rows\":0,\"result_complete\":false,"
                        + "\"observation\":{\"lost_records\":0,\"retained_records\":0,\"retained_bytes\":0,"
                        + "\"truncated\":false,\"degraded\":false}}");
    }

    @Test
    void unknownSchema_isRefused_andUnknownFieldsAreSkipped() {
        var json = ReportJson.write(ReportSamples.bare());
        assertThatThrownBy(() -> ReportJson.read(json.replace("report/1", "report/2")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ReportJson.read(json.replace("UNPLANNED", "SOMEWHERE")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(ReportJson.read(json.replace("\"engine\"", "\"later\":[{\"a\":null}],\"engine\"")))
                .isEqualTo(ReportSamples.bare());
    }

    @Test
    void projection_hasNoCorrelationAndNoPayload() {
        var json = ReportJson.write(SealedProjection.of(ReportSamples.full()));
        assertThat(json)
                .startsWith("{\"schema\":\"weighlock.sealed-attempt-projection/1\"")
                .contains("\"native_fault_evidence_present\":true", "\"resource_evidence_present\":true")
                .doesNotContain("orders", "00-ab-cd-01", "peak_bytes");
    }

    @Test
    void durations_withoutBothEnds_areNoSample() {
        var full = ReportSamples.full().durations();
        assertThat(full.total()).hasValue(13);
        assertThat(full.planning()).hasValue(1);
        assertThat(full.queueWait()).hasValue(5);
        assertThat(full.physicalExecution()).hasValue(2);
        var bare = ReportSamples.bare().durations();
        assertThat(bare.total()).isEmpty();
        assertThat(bare.physicalExecution()).isEmpty();
    }

    @Test
    void correlationValues_outOfBounds_areRefusedNotCut() {
        assertThat(new QueryId("é".repeat(128)).value()).hasSize(128);
        assertThatThrownBy(() -> new QueryId("é".repeat(129))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new QueryId(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TraceContext("x".repeat(1025))).isInstanceOf(IllegalArgumentException.class);
        assertThat(new TraceContext("x".repeat(1024)).value()).hasSize(1024);
    }

    @Test
    void factOutsideTheClosedSets_isRefused() {
        assertThatThrownBy(() -> new FailureFact(FactKey.REASON, "table customers is missing"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FailureFact(FactKey.PATH, "residents"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
