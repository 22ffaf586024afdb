package dev.weighlock.query.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs tests that leave something open: each fails by it, and nobody else does. */
class LeakExtensionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "leavesAGrant | grant 1 of device 7",
                "leavesALease | resident lease on 5 bytes of grant 1 of device 7",
                "leavesALeaseOnALiveGrant | grant 1 of device 7 with a resident lease on 5 bytes",
                "leavesAPermit | DEVICE permit of a forgetful worker",
                "leavesAQueryInsideItsBackend | grant 1 of device 3",
                "leavesAReceiver | completion receiver of " + Forgetful.HOLDER
            })
    void testThatLeavesSomethingOpen_failsAndNamesIt(String method, String named) {
        List<TestExecutionSummary.Failure> failures = run(method).getFailures();

        assertThat(failures).hasSize(1);
        assertThat(failures.getFirst().getException())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("left open")
                .hasMessageContaining(named.replace(Forgetful.HOLDER, Forgetful.lastHolder()))
                .hasMessageContaining(Forgetful.lastHolder());
    }

    @ParameterizedTest
    @CsvSource({"closesEverything", "leavesAGrantOnPurpose"})
    void testThatMayPass_passes(String method) {
        assertThat(run(method).getTestsSucceededCount()).isEqualTo(1);
    }

    @Test
    void testThatFailsAnyway_keepsItsOwnFailureFirst() {
        Throwable failure = run("failsAndLeavesAGrant").getFailures().getFirst().getException();

        assertThat(failure).hasMessage("its own");
        assertThat(failure.getSuppressed())
                .singleElement()
                .satisfies(leak -> assertThat(leak).hasMessageContaining("left open"));
    }

    private static TestExecutionSummary run(String method) {
        var summary = new SummaryGeneratingListener();
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(Forgetful.class, method))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .build();
        try (var session = LauncherFactory.openSession()) {
            session.getLauncher().execute(request, summary);
        }
        assertThat(summary.getSummary().getTestsFoundCount()).isEqualTo(1);
        return summary.getSummary();
    }
}
