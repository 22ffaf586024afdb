package dev.weighlock.query.metric;

import static dev.weighlock.query.testing.TestDevices.host;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ErrorStatus;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.DeviceHealth;
import dev.weighlock.query.device.FaultIsolation;
import dev.weighlock.query.device.LedgerSnapshot;
import dev.weighlock.query.device.LedgerTransition;
import dev.weighlock.query.device.TransitionKind;
import dev.weighlock.query.report.AttemptDurations;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.CleanupDisposition;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.OutcomeKind;
import dev.weighlock.query.report.RetryAdvice;
import dev.weighlock.query.report.SealedProjection;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MetricsStoreTest {
    private static final AttemptSeries NATIVE_SUCCESS = new AttemptSeries(Disposition.NATIVE, OutcomeKind.SUCCEEDED);
    private static final MetricDescriptor DURATION = BackendMetric.ATTEMPTS_DURATION.descriptor();

    @Test
    void store_hasFixedOrdinalSlots_andRefusesInvalidConfiguration() {
        MetricsSnapshot snapshot = new MetricsStore(41, List.of(3, 17)).snapshot();

        assertThat(snapshot.backendGeneration()).isEqualTo(41);
        assertThat(snapshot.generation()).isZero();
        assertThat(snapshot.slots()).hasSize(64);
        assertThat(snapshot.device(3))
                .get()
                .extracting(DeviceMetrics::deviceOrdinal)
                .isEqualTo(3);
        assertThat(snapshot.device(17))
                .get()
                .extracting(DeviceMetrics::deviceOrdinal)
                .isEqualTo(17);
        assertThat(snapshot.device(2)).isEmpty();
        assertThat(snapshot.device(64)).isEmpty();
        assertRefused(
                41, List.of(64), ErrorCode.INVALID_CONFIGURATION, Reason.BACKEND_METRICS_DEVICE_ORDINAL_OUT_OF_RANGE);
        assertRefused(
                41, List.of(3, 3), ErrorCode.INVALID_CONFIGURATION, Reason.DUPLICATE_BACKEND_METRICS_DEVICE_ORDINAL);
        assertRefused(0, List.of(3), ErrorCode.INTERNAL, Reason.ZERO_BACKEND_GENERATION);
    }

    private static void assertRefused(long generation, List<Integer> ordinals, ErrorCode code, Reason reason) {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> new MetricsStore(generation, ordinals))
                .matches(refusal -> refusal.code() == code && refusal.facts().has(reason));
    }

    @Test
    void ledgerTransitions_setExactGauges_andKeepTheLargestResidentCharge() {
        MetricsStore store = new MetricsStore(42, List.of(3));
        store.observe(transition(9, 2, 500, 400, 333));
        store.observe(transition(10, 1, 200, 100, 999));
        store.observe(transition(11, 1, 200, 450, 777));

        assertThat(store.snapshot().device(3)).hasValue(new DeviceMetrics(3, 11, 1, 200, 450, 450, 777, 777, true));
        store.observe(transition(7, 12, 5, 1, 1, 1));
        assertThat(store.snapshot().generation()).isEqualTo(3);
    }

    @Test
    void closedDevice_showsItsHealth() {
        MetricsStore store = new MetricsStore(42, List.of(3));
        LedgerSnapshot open = transition(1, 0, 0, 0, 0).snapshot();
        store.observe(new LedgerTransition(
                TransitionKind.ADMISSION_CLOSED,
                new LedgerSnapshot(
                        open.profile(),
                        2,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        new DeviceHealth.Closed("fault", FaultIsolation.DEVICE_LOCAL, 1))));

        assertThat(store.snapshot().device(3))
                .get()
                .extracting(DeviceMetrics::open)
                .isEqualTo(false);
    }

    @Test
    void sealedProjection_countsOnce_andFillsExactBuckets() {
        MetricsStore store = new MetricsStore(43, List.of(3));
        store.record(
                projection(Disposition.NATIVE, Outcome.SUCCEEDED),
                new AttemptDurations(
                        OptionalLong.of(1_000),
                        OptionalLong.of(1_001),
                        OptionalLong.empty(),
                        OptionalLong.of(2_000_000_000)));

        MetricsSnapshot snapshot = store.snapshot();
        assertThat(snapshot.completed(NATIVE_SUCCESS)).isEqualTo(1);
        CumulativeHistogram total =
                snapshot.duration(NATIVE_SUCCESS, DurationKind.TOTAL).orElseThrow();
        assertThat(total.bucketCounts()).containsExactly(1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L);
        assertThat(total.count()).isEqualTo(1);
        assertThat(total.sumNanos()).isEqualTo(1_000);
        assertThat(snapshot.duration(NATIVE_SUCCESS, DurationKind.PLANNING)
                        .orElseThrow()
                        .bucketCounts())
                .containsExactly(0L, 1L, 1L, 1L, 1L, 1L, 1L, 1L);
        assertThat(snapshot.duration(NATIVE_SUCCESS, DurationKind.QUEUE_WAIT)
                        .orElseThrow()
                        .count())
                .isZero();
        assertThat(snapshot.duration(NATIVE_SUCCESS, DurationKind.PHYSICAL_EXECUTION)
                        .orElseThrow()
                        .bucketCounts())
                .containsExactly(0L, 0L, 0L, 0L, 0L, 0L, 0L, 1L);
    }

    @Test
    void sealedProjections_areCountedUnderTheirOwnSeries() {
        MetricsStore store = new MetricsStore(43, List.of(3));
        AttemptDurations none = new AttemptDurations(
                OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
        store.record(projection(Disposition.UNPLANNED, Outcome.DROPPED), none);
        store.record(
                projection(Disposition.CPU_FALLBACK, Outcome.failed(ErrorCode.SQL_ERROR, ErrorStatus.PERMANENT)), none);

        MetricsSnapshot snapshot = store.snapshot();
        assertThat(snapshot.completed(new AttemptSeries(Disposition.UNPLANNED, OutcomeKind.DROPPED)))
                .isEqualTo(1);
        assertThat(snapshot.completed(new AttemptSeries(Disposition.CPU_FALLBACK, OutcomeKind.FAILED)))
                .isEqualTo(1);
        assertThat(snapshot.completed(NATIVE_SUCCESS)).isZero();
    }

    @Test
    void generation_risesWithEveryUpdate_andTornReadsShow() {
        MetricsStore store = new MetricsStore(44, List.of(3));
        MetricsSnapshot before = store.snapshot();
        assertThat(store.isCurrent(before)).isTrue();

        store.observe(transition(1, 1, 100, 50, 0));
        MetricsSnapshot after = store.snapshot();

        assertThat(after.generation()).isGreaterThan(before.generation());
        assertThat(before.isTornAgainst(after)).isTrue();
        assertThat(store.isCurrent(before)).isFalse();
        assertThat(store.isCurrent(after)).isTrue();
        assertThat(after.isTornAgainst(new MetricsStore(45, List.of(3)).snapshot()))
                .isTrue();
    }

    @Test
    void histogramProjection_separatesBucketsAndConvertsUnits() {
        DisjointHistogram projected =
                histogram(5, 1_000_000_123, 1, 3, 3, 4, 4, 4, 5, 5).project(DURATION);

        assertThat(projected.boundsSeconds()).containsExactly(1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0);
        assertThat(projected.bucketCounts()).containsExactly(1L, 2L, 0L, 1L, 0L, 0L, 1L, 0L);
        assertThat(projected.sumSeconds()).isEqualTo(1.000000123);
        assertThat(projected.count()).isEqualTo(5);
    }

    @Test
    void histogramProjection_ofContradictoryCounts_isRefused() {
        assertProjectionRefused(
                () -> histogram(0, 0, 1, 0, 0, 0, 0, 0, 0, 0).project(DURATION),
                ProjectionException.Cause.CUMULATIVE_DECREASES);
        assertThatExceptionOfType(ProjectionException.class)
                .isThrownBy(() -> histogram(0, 0, 1, 0, 0, 0, 0, 0, 0, 0).project(DURATION))
                .matches(refusal ->
                        refusal.facts().value(FactKey.INDEX).orElseThrow().equals("1"));
        assertProjectionRefused(
                () -> histogram(1, 0, 0, 0, 0, 0, 0, 0, 0, 0).project(DURATION),
                ProjectionException.Cause.CUMULATIVE_COUNT_MISMATCH);
        assertProjectionRefused(
                () -> histogram(0, -1, 0, 0, 0, 0, 0, 0, 0, 0).project(DURATION), ProjectionException.Cause.DURATION);
        assertProjectionRefused(
                () -> DisjointHistogram.of(DURATION, List.of(1.0), List.of(1L, 1L), 3, 1),
                ProjectionException.Cause.DISJOINT_COUNT_MISMATCH);
    }

    private static void assertProjectionRefused(Runnable projection, ProjectionException.Cause kind) {
        assertThatExceptionOfType(ProjectionException.class)
                .isThrownBy(projection::run)
                .matches(refusal -> refusal.kind() == kind);
    }

    @Test
    void everyDescriptor_projectsItsSeriesWithLabelsInOrder_andCacheStartsAtZero() {
        MetricsSnapshot snapshot = new MetricsStore(49, List.of(3)).snapshot();
        for (MetricDescriptor descriptor : BackendMetric.descriptors()) {
            List<MetricSample> samples = snapshot.project(descriptor);
            assertThat(samples)
                    .hasSize(
                            switch (descriptor.kind()) {
                                case GAUGE -> 1;
                                case COUNTER -> 20;
                                case HISTOGRAM -> 80;
                            });
            assertThat(samples)
                    .allSatisfy(
                            sample -> assertThat(sample.attributes().stream().map(MetricAttribute::label))
                                    .containsExactlyElementsOf(descriptor.labels()));
        }
        assertThat(snapshot.project(BackendMetric.CACHE_EVICTABLE_RESIDENT_BYTES.descriptor()))
                .containsExactly(new MetricSample.Scalar(List.of(new MetricAttribute(MetricLabel.DEVICE, "3")), 0));
        assertThat(snapshot.project(BackendMetric.CACHE_PINNED_IN_USE_BYTES.descriptor()))
                .containsExactly(new MetricSample.Scalar(List.of(new MetricAttribute(MetricLabel.DEVICE, "3")), 0));
        assertThat(snapshot.project(DURATION).get(1).attributes())
                .containsExactly(
                        new MetricAttribute(MetricLabel.DISPOSITION, "unplanned"),
                        new MetricAttribute(MetricLabel.OUTCOME, "succeeded"),
                        new MetricAttribute(MetricLabel.DURATION, "planning"));
    }

    @Test
    void descriptorThatIsNotCanonical_isRefused() {
        MetricDescriptor forged =
                new MetricDescriptor(BackendMetric.ATTEMPTS_COMPLETED, "other", MetricKind.COUNTER, "1", List.of());

        assertProjectionRefused(
                () -> new MetricsStore(49, List.of(3)).snapshot().project(forged),
                ProjectionException.Cause.NON_CANONICAL_DESCRIPTOR);
    }

    private static CumulativeHistogram histogram(long count, long sumNanos, int... buckets) {
        return new CumulativeHistogram(
                DurationBounds.SHORT,
                java.util.Arrays.stream(buckets)
                        .mapToObj(bucket -> (long) bucket)
                        .toList(),
                count,
                sumNanos);
    }

    private static LedgerTransition transition(long sequence, int active, long live, long owner, long cache) {
        return transition(3, sequence, active, live, owner, cache);
    }

    private static LedgerTransition transition(
            int ordinal, long sequence, int active, long live, long owner, long cache) {
        return new LedgerTransition(
                TransitionKind.GRANT_ADMITTED,
                new LedgerSnapshot(
                        host(ordinal, 10_000, 8).resolve(),
                        sequence,
                        active,
                        live,
                        0,
                        owner,
                        cache,
                        cache,
                        DeviceHealth.Open.OPEN));
    }

    private static SealedProjection projection(Disposition disposition, Outcome outcome) {
        return new SealedProjection(
                AttemptId.mint(),
                disposition,
                outcome,
                CleanupDisposition.NOT_REQUIRED,
                0,
                true,
                CapacityDisposition.NOT_ADMITTED,
                null,
                RetryAdvice.NO_RETRY_NEEDED,
                false,
                false,
                false,
                false);
    }
}
