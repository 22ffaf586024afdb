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
 */
public record BackendSettings(
        DeviceProfile device, AdmissionConfig admission, long tempLimitBytes, Duration planningLimit) {
    private static final long DEFAULT_TEMP_LIMIT_BYTES = 32L << 30;
    private static final Duration DEFAULT_PLANNING_LIMIT = Duration.ofSeconds(10);

    /** The default queue and pool, 32 GiB of disk a query, 10 s of planning. */
    public static BackendSettings of(DeviceProfile device) {
        return new BackendSettings(device, AdmissionConfig.DEFAULT, DEFAULT_TEMP_LIMIT_BYTES, DEFAULT_PLANNING_LIMIT);
    }

    public BackendSettings withAdmission(AdmissionConfig config) {
        return new BackendSettings(device, config, tempLimitBytes, planningLimit);
    }

    public BackendSettings withTempLimit(long bytes) {
        return new BackendSettings(device, admission, bytes, planningLimit);
    }
}
