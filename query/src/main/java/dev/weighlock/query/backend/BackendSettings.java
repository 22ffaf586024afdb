package dev.weighlock.query.backend;

import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.device.DeviceProfile;
import java.time.Duration;

/**
 * How much a backend may hand out.
 *
 * @param device the figures of the one device that its engine runs on
 * @param admission queue, waits and pools
 * @param tempLimitBytes how much disk one query may spill to
 * @param planningLimit how long parsing one statement may take
 * @param keptResults how much is kept for paging
 * @param openHandleLimit an age at which a grant, permit, lease or receiver is taken for forgotten and named
 */
public record BackendSettings(
        DeviceProfile device,
        AdmissionConfig admission,
        long tempLimitBytes,
        Duration planningLimit,
        Duration openHandleLimit,
        KeptResultLimits keptResults) {
    private static final long DEFAULT_TEMP_LIMIT_BYTES = 32L << 30;
    private static final Duration DEFAULT_PLANNING_LIMIT = Duration.ofSeconds(10);
    private static final Duration DEFAULT_OPEN_HANDLE_LIMIT = Duration.ofHours(6);

    /** The default queue and pool, 32 GiB of disk a query, 10 s of planning, 6 h until something open is named. */
    public static BackendSettings of(DeviceProfile device) {
        return new BackendSettings(
                device,
                AdmissionConfig.DEFAULT,
                DEFAULT_TEMP_LIMIT_BYTES,
                DEFAULT_PLANNING_LIMIT,
                DEFAULT_OPEN_HANDLE_LIMIT,
                KeptResultLimits.DEFAULT);
    }

    public BackendSettings withAdmission(AdmissionConfig config) {
        return new BackendSettings(device, config, tempLimitBytes, planningLimit, openHandleLimit, keptResults);
    }

    public BackendSettings withTempLimit(long bytes) {
        return new BackendSettings(device, admission, bytes, planningLimit, openHandleLimit, keptResults);
    }

    public BackendSettings withOpenHandleLimit(Duration limit) {
        return new BackendSettings(device, admission, tempLimitBytes, planningLimit, limit, keptResults);
    }

    public BackendSettings withKeptResults(KeptResultLimits limits) {
        return new BackendSettings(device, admission, tempLimitBytes, planningLimit, openHandleLimit, limits);
    }
}
