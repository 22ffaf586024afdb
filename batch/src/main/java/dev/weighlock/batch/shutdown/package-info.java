/** The orderly end of a process: intake, cancel, join, owned resources, record, telemetry, heartbeat, repository. */
@NullMarked
package dev.weighlock.batch.shutdown;

import org.jspecify.annotations.NullMarked;
