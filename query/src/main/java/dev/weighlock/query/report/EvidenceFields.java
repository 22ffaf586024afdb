package dev.weighlock.query.report;

import dev.weighlock.query.json.JsonObject;
import dev.weighlock.query.json.JsonRow;

/** The JSON fields of what was measured of an attempt's grant, both ways. */
final class EvidenceFields {
    private EvidenceFields() {}

    static void writeUsage(JsonRow out, DomainUsage usage) {
        out.number("domain_id", usage.domainId())
                .flag("active", usage.active())
                .number("active_members", usage.activeMembers())
                .number("ceiling_bytes", usage.ceilingBytes())
                .number("allocation_limit_bytes", usage.allocationLimitBytes())
                .number("current_bytes", usage.currentBytes())
                .number("peak_bytes", usage.peakBytes())
                .number("total_bytes", usage.totalBytes())
                .number("current_aligned_bytes", usage.currentAlignedBytes())
                .number("peak_aligned_bytes", usage.peakAlignedBytes())
                .number("total_allocations", usage.totalAllocations())
                .number("current_allocations", usage.currentAllocations())
                .number("peak_allocations", usage.peakAllocations())
                .number("failed_allocation_count", usage.failedAllocationCount())
                .number("largest_failed_allocation_bytes", usage.largestFailedAllocationBytes());
    }

    static DomainUsage readUsage(JsonObject in) {
        return new DomainUsage(
                in.number("domain_id"),
                in.flag("active"),
                in.number("active_members"),
                in.number("ceiling_bytes"),
                in.number("allocation_limit_bytes"),
                in.number("current_bytes"),
                in.number("peak_bytes"),
                in.number("total_bytes"),
                in.number("current_aligned_bytes"),
                in.number("peak_aligned_bytes"),
                in.number("total_allocations"),
                in.number("current_allocations"),
                in.number("peak_allocations"),
                in.number("failed_allocation_count"),
                in.number("largest_failed_allocation_bytes"));
    }

    static void writeFault(JsonRow out, FaultEvidence evidence) {
        out.text("isolation", evidence.isolation())
                .text("teardown_health", evidence.teardownHealth())
                .object(
                        "device_health",
                        evidence.deviceHealth(),
                        (row, health) -> row.text("status", health.status())
                                .number("fault_count", health.faultCount())
                                .number("rejected_operation_count", health.rejectedOperationCount())
                                .number("quarantined_teardown_count", health.quarantinedTeardownCount()))
                .object(
                        "first_fault",
                        evidence.firstFault(),
                        (row, fault) -> row.text("kind", fault.kind()).number("status", fault.status()));
    }

    static FaultEvidence readFault(JsonObject in) {
        return new FaultEvidence(
                in.constant("isolation", FaultEvidence.Isolation.class),
                in.constant("teardown_health", FaultEvidence.TeardownHealth.class),
                in.objectOrNull(
                        "device_health",
                        health -> new FaultEvidence.DeviceHealth(
                                health.constant("status", FaultEvidence.DeviceStatus.class),
                                health.number("fault_count"),
                                health.number("rejected_operation_count"),
                                health.number("quarantined_teardown_count"))),
                in.objectOrNull(
                        "first_fault",
                        fault -> new FaultEvidence.Fault(
                                fault.constant("kind", FaultEvidence.FaultKind.class), fault.numberOrNull("status"))));
    }

    static void writeResource(JsonRow out, ResourceEvidence evidence) {
        out.number("grant_bytes", evidence.grantBytes()).number("largest_grant_bytes", evidence.largestGrantBytes());
    }

    static ResourceEvidence readResource(JsonObject in) {
        return new ResourceEvidence(in.number("grant_bytes"), in.numberOrNull("largest_grant_bytes"));
    }
}
