package dev.weighlock.query.backend;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.device.BackendGeneration;
import dev.weighlock.query.lifecycle.BackendLifecycle;

/**
 * Lets a kept result hold its backend open after its query: as a device permit, so that a close waits for the result and
 * names it.
 */
record LifecycleGeneration(BackendLifecycle lifecycle, AttemptId attempt) implements BackendGeneration {
    @Override
    public void checkOpen(String operation) {
        lifecycle.beginDeviceResource(attempt).close();
    }

    @Override
    public Lease retain(String operation) {
        return lifecycle.beginDeviceResource("the kept result of attempt " + attempt)::close;
    }
}
