package dev.weighlock.query.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.QueryCap;
import dev.weighlock.query.testing.ManualClock;
import java.util.List;

/** A service with a manual clock and the words tests use for its answers. */
final class AdmissionFixture {
    final ManualClock clock = new ManualClock();
    final AdmissionService service;

    AdmissionFixture(AdmissionConfig config, DeviceLedger... ledgers) {
        service = AdmissionService.untimed(config, List.of(ledgers), clock);
    }

    AdmissionFixture(DeviceLedger... ledgers) {
        this(AdmissionConfig.DEFAULT, ledgers);
    }

    static AdmissionRequest bytes(long cap) {
        return AdmissionRequest.of(AttemptId.mint(), QueryCap.of(cap));
    }

    Grant admitted(long cap) {
        return admitted(bytes(cap));
    }

    Grant admitted(AdmissionRequest request) {
        return grant(service.request(request));
    }

    AdmissionTicket waiting(long cap) {
        return waiting(bytes(cap));
    }

    AdmissionTicket waiting(AdmissionRequest request) {
        AdmissionDecision decision = service.request(request);
        assertThat(decision).isInstanceOf(AdmissionTicket.class);
        return (AdmissionTicket) decision;
    }

    QueryException refused(AdmissionRequest request) {
        return error(service.request(request));
    }

    static Grant grant(AdmissionDecision decision) {
        assertThat(decision).isInstanceOf(AdmissionOutcome.Admitted.class);
        return ((AdmissionOutcome.Admitted) decision).grant();
    }

    static Grant grant(AdmissionTicket ticket) {
        return grant(ticket.outcome().orElseThrow());
    }

    static AdmissionFacts facts(AdmissionTicket ticket) {
        return ((AdmissionOutcome.Admitted) ticket.outcome().orElseThrow()).facts();
    }

    static QueryException error(AdmissionDecision decision) {
        assertThat(decision).isInstanceOf(AdmissionOutcome.Refused.class);
        return ((AdmissionOutcome.Refused) decision).error();
    }

    static QueryException error(AdmissionTicket ticket) {
        return error(ticket.outcome().orElseThrow());
    }
}
