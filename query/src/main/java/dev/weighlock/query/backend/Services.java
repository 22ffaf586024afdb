package dev.weighlock.query.backend;

import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.admission.AdmissionService;
import dev.weighlock.query.attempt.Attempts;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.lifecycle.BackendLifecycle;
import dev.weighlock.query.metric.MetricsStore;

/**
 * What every query of one backend works with.
 *
 * @param queryThreads what granted queries run on; a query whose thread cannot start fails
 */
record Services(
        BackendSettings settings,
        QueryEngine engine,
        MonotonicClock clock,
        BackendLifecycle lifecycle,
        Attempts attempts,
        AdmissionService admission,
        DataSets dataSets,
        KeptResults keptResults,
        OutsideSamples samples,
        MetricsStore metrics,
        QueryThreads queryThreads) {}
