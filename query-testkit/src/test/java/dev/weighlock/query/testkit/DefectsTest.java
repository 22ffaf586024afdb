package dev.weighlock.query.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.weighlock.query.testing.EngineDefect;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A kit that a bad engine passes shows nothing: every case fails for an engine with the defect that it is there for. */
class DefectsTest {
    private static final Map<String, EngineDefect> CASES = Map.ofEntries(
            Map.entry("plan_ofAQuery_neitherBindsNorEvaluates", EngineDefect.PLAN_EVALUATES),
            Map.entry("plan_overItsLimit_failsAndServesTheNext", EngineDefect.PLAN_IGNORES_ITS_LIMIT),
            Map.entry("plan_interrupted_isCancelledAndServesTheNext", EngineDefect.PLAN_SWALLOWS_INTERRUPTS),
            Map.entry("plan_ofWhatIsNoQuery_isRefusedBeforeAnyGrant", EngineDefect.PLAN_CALLS_ALL_A_QUERY),
            Map.entry("cancel_beforeExecute_isKept", EngineDefect.LOSES_EARLY_CANCEL),
            Map.entry("cancel_duringPlanning_opensNothing", EngineDefect.NEVER_PROVES_ITS_RELEASE),
            Map.entry("cancel_whileTheEngineWorks_returnsAtOnce", EngineDefect.CANCEL_WAITS),
            Map.entry("cancel_duringExecution_endsTheCall", EngineDefect.DEAF_IN_EXECUTE),
            Map.entry("cancel_duringFetch_endsTheStream", EngineDefect.DEAF_IN_FETCH),
            Map.entry("cancel_atHandOver_neverRuns", EngineDefect.NEVER_PROVES_ITS_RELEASE),
            Map.entry("cancel_afterTheEnd_changesNothing", EngineDefect.LATE_CANCEL_BREAKS),
            Map.entry("deadline_duringPlanning_endsTheQueryWithoutAGrant", EngineDefect.NEVER_PROVES_ITS_RELEASE),
            Map.entry("deadline_inTheQueue_endsTheQueryWithoutAGrant", EngineDefect.DEAF_IN_EXECUTE),
            Map.entry("deadline_duringExecution_endsTheQueryAndItsGrant", EngineDefect.DEAF_IN_EXECUTE),
            Map.entry("deadline_duringFetch_endsTheQueryAndItsGrant", EngineDefect.NEVER_PROVES_ITS_RELEASE),
            Map.entry("memoryLimit_exceeded_hasItsCodeAndStopsNobodyElse", EngineDefect.IGNORES_MEMORY_LIMIT),
            Map.entry("tempLimit_exceeded_hasItsCode", EngineDefect.IGNORES_TEMP_LIMIT),
            Map.entry("resultLimit_exceeded_hasItsCode", EngineDefect.IGNORES_RESULT_LIMIT),
            Map.entry("fullDisk_ofAnOutput_hasItsCode", EngineDefect.HIDES_A_FULL_DISK),
            Map.entry("callerErrors_areTheCallers", EngineDefect.BLAMES_THE_ENGINE),
            Map.entry("engineFaults_areTheEngines", EngineDefect.BLAMES_THE_CALLER),
            Map.entry("failedSource_isTheCauseOfItsImport", EngineDefect.HIDES_THE_SOURCE),
            Map.entry("brokenStream_neverLooksComplete", EngineDefect.TRUNCATES),
            Map.entry("brokenStream_isAFailureWithItsDeliveredRows", EngineDefect.TRUNCATES),
            Map.entry("everyEnd_ofAStream_isProved", EngineDefect.ENDS_UNPROVED),
            Map.entry("release_afterEveryEnd_isProvedAndLeavesNoFile", EngineDefect.LEAVES_ITS_SPILL_FILES),
            Map.entry("usage_afterASpill_namesItAndStaysWithinTheGrant", EngineDefect.HIDES_ITS_SPILLING),
            Map.entry("spillFolders_areEachSessionsOwnAndGoneWithIt", EngineDefect.SHARES_ITS_SPILL_FOLDER),
            Map.entry("close_leavesNothingBehind", EngineDefect.LEAVES_ITS_FOLDER_ON_CLOSE),
            Map.entry("files_outsideTheReadFolders_areRefused", EngineDefect.OPENS_ANY_FILE),
            Map.entry("outputs_outsideTheWriteFolders_areRefused", EngineDefect.WRITES_ANYWHERE));

    static Set<String> cases() {
        var cases = new TreeSet<String>();
        for (Class<?> type = QueryEngineContract.class; type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    cases.add(method.getName());
                }
            }
        }
        return cases;
    }

    @Test
    void table_hasEveryCaseAndEveryDefect() {
        assertThat(CASES.keySet()).isEqualTo(cases());
        assertThat(CASES.values()).contains(EngineDefect.values());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyCase_failsForItsDefect(String name) {
        BadEngineKit.defect = Objects.requireNonNull(CASES.get(name));
        assertThat(failedCases(name)).containsExactly(name);
    }

    private static List<String> failedCases(String name) {
        var failed = new ArrayList<String>();
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(BadEngineKit.class, name))
                .build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() && result.getStatus() == TestExecutionResult.Status.FAILED) {
                    failed.add(name);
                }
            }
        });
        return failed;
    }
}
