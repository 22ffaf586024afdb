package dev.weighlock.query.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.testing.TestAttempts;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackendLifecycleTest {
    private final BackendLifecycle lifecycle = TestAttempts.lifecycle(MonotonicClock.SYSTEM);

    @Test
    void acquisitionAndClose_sequential_areOneLinearizationDomain() {
        var permit = lifecycle.beginObservation("earlier");
        assertThat(lifecycle.snapshot().activeObservationPermits()).isEqualTo(1);

        assertThat(lifecycle.close()).isTrue();
        assertThat(lifecycle.close()).isFalse();
        assertClosing(() -> lifecycle.beginObservation("later"), "lifecycle.begin_observation");
        assertThat(lifecycle.snapshot()).isEqualTo(new LifecycleSnapshot(true, 1, 0));

        permit.close();
        permit.close();
        assertThat(lifecycle.snapshot()).isEqualTo(new LifecycleSnapshot(true, 0, 0));
    }

    @Test
    void acquisitions_racingClose_areCountedExactlyWhenTheySucceed() throws Exception {
        List<CompletableFuture<@Nullable LifecyclePermit>> acquirers = new ArrayList<>();
        var race = new Race(33);
        for (var i = 0; i < 16; i++) {
            acquirers.add(race.run(() -> acquire(PermitScope.OBSERVATION)));
            acquirers.add(race.run(() -> acquire(PermitScope.DEVICE)));
        }
        var closer = race.run(lifecycle::close);

        assertThat(closer.get(30, TimeUnit.SECONDS)).isTrue();
        var permits = new ArrayList<LifecyclePermit>();
        for (var acquirer : acquirers) {
            var permit = acquirer.get(30, TimeUnit.SECONDS);
            if (permit != null) {
                permits.add(permit);
            }
        }
        assertThat(lifecycle.snapshot())
                .isEqualTo(new LifecycleSnapshot(
                        true, count(permits, PermitScope.OBSERVATION), count(permits, PermitScope.DEVICE)));
        assertClosing(() -> lifecycle.beginObservation("later"), "lifecycle.begin_observation");
        assertClosing(() -> lifecycle.beginDeviceResource("later"), "lifecycle.begin_device_resource");

        permits.forEach(LifecyclePermit::close);
        assertThat(lifecycle.snapshot()).isEqualTo(new LifecycleSnapshot(true, 0, 0));
    }

    @Test
    void close_byManyAtOnce_hasOneWinner() throws Exception {
        var race = new Race(32);
        List<CompletableFuture<Boolean>> closers = new ArrayList<>();
        for (var i = 0; i < 32; i++) {
            closers.add(race.run(lifecycle::close));
        }

        var winners = 0;
        for (var closer : closers) {
            winners += Objects.requireNonNull(closer.get(30, TimeUnit.SECONDS)) ? 1 : 0;
        }
        assertThat(winners).isEqualTo(1);
        assertThat(lifecycle.close()).isFalse();
        assertThat(lifecycle.isClosing()).isTrue();
        assertClosing(() -> lifecycle.beginDeviceResource("later"), "lifecycle.begin_device_resource");
    }

    @Test
    void close_whileTheWaitLockIsHeld_returns() throws Exception {
        lifecycle.waitLock.lock();
        try {
            assertThat(CompletableFuture.supplyAsync(lifecycle::close).get(30, TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            lifecycle.waitLock.unlock();
        }
        assertThat(lifecycle.isClosing()).isTrue();
    }

    @Test
    void expiredDeadline_whileTheWaitLockIsHeld_timesOutWithoutACount() throws Exception {
        lifecycle.waitLock.lock();
        try {
            var failure = CompletableFuture.supplyAsync(() -> timeoutOf(PermitScope.OBSERVATION))
                    .get(30, TimeUnit.SECONDS);
            assertThat(failure.code()).isEqualTo(ErrorCode.SERVICE_OVERLOADED);
            assertThat(failure.facts().has(Reason.OBSERVATION_TIMEOUT)).isTrue();
            assertThat(failure.facts().value(FactKey.ACTIVE_OBSERVATION_PERMITS))
                    .isEmpty();
            assertThat(lifecycle.isClosing()).isTrue();
        } finally {
            lifecycle.waitLock.unlock();
        }

        assertThatCode(() -> lifecycle.awaitObservationQuiescence(expired())).doesNotThrowAnyException();
    }

    @Test
    void expiredDeadline_withOpenPermits_namesEachScopeAndLetsALateReleaseSucceed() throws Exception {
        var observation = lifecycle.beginObservation("observer");
        var device = lifecycle.beginDeviceResource("worker");

        var observationFailure = timeoutOf(PermitScope.OBSERVATION);
        assertThat(observationFailure.operation()).isEqualTo("lifecycle.wait_observation");
        assertThat(observationFailure.facts().value(FactKey.ACTIVE_OBSERVATION_PERMITS))
                .contains("1");
        assertThat(observationFailure.facts().value(FactKey.CLEANUP_DEADLINE_ELAPSED))
                .contains("true");
        var deviceFailure = timeoutOf(PermitScope.DEVICE);
        assertThat(deviceFailure.operation()).isEqualTo("lifecycle.wait_device");
        assertThat(deviceFailure.facts().has(Reason.DEVICE_TIMEOUT)).isTrue();
        assertThat(deviceFailure.facts().value(FactKey.ACTIVE_DEVICE_PERMITS)).contains("1");

        observation.close();
        lifecycle.awaitObservationQuiescence(expired());
        device.close();
        lifecycle.awaitDeviceQuiescence(expired());
    }

    @Test
    void quiescence_isPerScope_whileCloseRefusesBoth() throws Exception {
        var observation = lifecycle.beginObservation("observer");
        lifecycle.beginDeviceResource("worker").close();

        lifecycle.awaitDeviceQuiescence(expired());
        assertThat(lifecycle.snapshot()).isEqualTo(new LifecycleSnapshot(true, 1, 0));
        assertClosing(() -> lifecycle.beginObservation("later"), "lifecycle.begin_observation");
        assertClosing(() -> lifecycle.beginDeviceResource("later"), "lifecycle.begin_device_resource");

        assertThat(timeoutOf(PermitScope.OBSERVATION).facts().value(FactKey.ACTIVE_OBSERVATION_PERMITS))
                .contains("1");
        observation.close();
        lifecycle.awaitObservationQuiescence(expired());
    }

    @Test
    void observationPermit_open_keepsNoResourceAlive() {
        @Nullable Object resource = new Object();
        var reference = new WeakReference<>(resource);
        var permit = lifecycle.beginObservation("observer");

        resource = null;
        for (var i = 0; i < 100 && reference.get() != null; i++) {
            System.gc();
        }
        assertThat(reference.get()).isNull();
        assertThat(lifecycle.snapshot().activeObservationPermits()).isEqualTo(1);
        permit.close();
        assertThat(lifecycle.isClosing()).isFalse();
    }

    @Test
    void waiter_asleepWhenTheLastPermitCloses_wakes() throws Exception {
        var permit = lifecycle.beginDeviceResource("worker");
        var waiter = CompletableFuture.runAsync(() -> {
            try {
                lifecycle.awaitDeviceQuiescence(Deadline.after(MonotonicClock.SYSTEM, Duration.ofMinutes(1)));
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        });
        while (!lifecycle.isClosing()) {
            Thread.onSpinWait();
        }
        permit.close();
        waiter.get(30, TimeUnit.SECONDS);
    }

    @Test
    void brokenClock_duringAWait_poisonsTheWaitsAndNotTheReleases() {
        var permit = lifecycle.beginDeviceResource("worker");
        MonotonicClock broken = () -> {
            throw new IllegalStateException("no time");
        };
        assertThatThrownBy(() -> lifecycle.awaitDeviceQuiescence(new Deadline(broken, 1)))
                .isInstanceOf(IllegalStateException.class);

        permit.close();
        assertThat(lifecycle.snapshot().activeDevicePermits()).isZero();
        assertThat(timeoutOf(PermitScope.DEVICE).facts().has(Reason.DEVICE_WAIT_POISONED))
                .isTrue();
    }

    private @Nullable LifecyclePermit acquire(PermitScope scope) {
        try {
            return scope == PermitScope.OBSERVATION
                    ? lifecycle.beginObservation("racer")
                    : lifecycle.beginDeviceResource("racer");
        } catch (QueryException refused) {
            assertThat(refused.facts().has(Reason.BACKEND_CLOSING)).isTrue();
            assertThat(refused.operation()).isEqualTo(scope.beginOperation);
            return null;
        }
    }

    private QueryException timeoutOf(PermitScope scope) {
        return Objects.requireNonNull(
                catchThrowableOfType(QueryException.class, () -> lifecycle.awaitQuiescence(scope, expired())));
    }

    private static int count(List<LifecyclePermit> permits, PermitScope scope) {
        return (int) permits.stream().filter(permit -> permit.scope() == scope).count();
    }

    private static Deadline expired() {
        return new Deadline(MonotonicClock.SYSTEM, -1);
    }

    private static void assertClosing(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String operation) {
        var refused = Objects.requireNonNull(catchThrowableOfType(QueryException.class, call));
        assertThat(refused.code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(refused.facts().has(Reason.BACKEND_CLOSING)).isTrue();
        assertThat(refused.operation()).isEqualTo(operation);
    }
}
