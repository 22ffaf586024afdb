package dev.weighlock.query.testing;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.AttemptId;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.device.DeviceKind;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.device.GrantRequest;
import dev.weighlock.query.device.ProfileBuilder;
import dev.weighlock.query.device.QueryCap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Devices of any size, without headroom, reserve or least cap, and requests for them. The thread's {@link LeakCheck}
 * watches every ledger made here.
 */
public final class TestDevices {
    private static final AtomicLong LAST_REQUEST = new AtomicLong();

    private TestDevices() {}

    /** A host of this many bytes, all of them for queries. */
    public static ProfileBuilder host(int ordinal, long bytes, int maxActive) {
        return DeviceProfile.device(ordinal, DeviceKind.HOST)
                .limit(bytes, "test")
                .headroom(0)
                .reserve(0)
                .minimumCap(1)
                .maxActive(maxActive);
    }

    public static DeviceLedger ledger(int ordinal, long bytes, int maxActive) {
        return ledger(host(ordinal, bytes, maxActive));
    }

    public static DeviceLedger ledger(ProfileBuilder profile) {
        return ledger(profile, new ManualClock());
    }

    public static DeviceLedger ledger(ProfileBuilder profile, MonotonicClock clock) {
        DeviceLedger ledger = new DeviceLedger(profile.resolve(), clock);
        LeakCheck.onThread().watch(ledger);
        return ledger;
    }

    public static GrantRequest request(long capBytes) {
        return request(QueryCap.of(capBytes));
    }

    public static GrantRequest request(QueryCap cap) {
        return new GrantRequest(new AdmissionRequestId(LAST_REQUEST.incrementAndGet()), AttemptId.mint(), cap);
    }
}
