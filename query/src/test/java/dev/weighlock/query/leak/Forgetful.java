package dev.weighlock.query.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.AttemptId;
import dev.weighlock.query.backend.BackendSettings;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.TestBackends;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.GrantRequest;
import dev.weighlock.query.device.QueryCap;
import dev.weighlock.query.testing.ManualClock;
import dev.weighlock.query.testing.ScriptedEngine;
import dev.weighlock.query.testing.TestAttempts;
import dev.weighlock.query.testing.TestDevices;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests for {@link LeakExtensionTest} to run; by itself the build does not run them, because most must fail. */
class Forgetful {
    static final String HOLDER = "HOLDER";
    private static volatile String lastHolder = "";

    /** A fixture in a field is watched like one in a method. */
    private final DeviceLedger ledger = TestDevices.ledger(7, 100, 2);

    static String lastHolder() {
        return lastHolder;
    }

    private Grant admit() {
        var attempt = AttemptId.mint();
        lastHolder = attempt.toString();
        return ledger.tryAdmit(new GrantRequest(new AdmissionRequestId(1), attempt, QueryCap.of(10)))
                .orElseThrow();
    }

    @Test
    void leavesAGrant() {
        assertThat(admit().bytes()).isEqualTo(10);
    }

    @Test
    @LeavesOpen("the test of the test wants it")
    void leavesAGrantOnPurpose() {
        assertThat(admit().bytes()).isEqualTo(10);
    }

    @Test
    void failsAndLeavesAGrant() {
        assertThat(admit().bytes()).isEqualTo(10);
        throw new IllegalStateException("its own");
    }

    @Test
    void leavesALease() {
        try (var grant = admit()) {
            assertThat(grant.retainResident(5)).isPresent();
            grant.prepareFreeze(5);
            grant.publishFreeze();
        }
    }

    @Test
    void leavesALeaseOnALiveGrant() {
        try (var grant = admit()) {
            assertThat(grant.retainResident(5)).isPresent();
        }
    }

    @Test
    void leavesAPermit() {
        lastHolder = "a forgetful worker";
        assertThat(TestAttempts.lifecycle(new ManualClock()).beginDeviceResource(lastHolder))
                .isNotNull();
    }

    @Test
    void leavesAReceiver() {
        try (var owner = TestAttempts.planned(TestAttempts.on(new ManualClock()))) {
            lastHolder = owner.attemptId().toString();
            assertThat(owner.completion().poll()).isEmpty();
        }
    }

    @Test
    void leavesAQueryInsideItsBackend() throws Exception {
        var device = TestDevices.host(3, 64L << 20, 1).resolve();
        var backend = TestBackends.open(BackendSettings.of(device), new ScriptedEngine());
        var kept = backend.submit(QueryRequest.select("KEEP", Map.of()));
        lastHolder = kept.attemptId().toString();
        assertThat(kept.rows().toList()).hasSize(1);
        assertThat(kept.await().succeeded()).isTrue();
    }

    @Test
    void closesEverything() {
        try (var grant = admit();
                var owner = TestAttempts.planned(TestAttempts.on(new ManualClock()));
                var receiver = owner.completion()) {
            assertThat(grant.retainResident(5)).hasValueSatisfying(lease -> lease.close());
            assertThat(receiver.poll()).isEmpty();
        }
    }
}
