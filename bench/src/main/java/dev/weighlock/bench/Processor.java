package dev.weighlock.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The time that processors have spent on this process. */
final class Processor {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private Processor() {}

    /** Of all its threads, the collector's and the compiler's included. */
    static long nanos() {
        return SYSTEM.getProcessCpuTime();
    }
}
