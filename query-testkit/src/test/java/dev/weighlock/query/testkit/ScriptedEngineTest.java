package dev.weighlock.query.testkit;

import java.util.List;

/** The scripted engine without defects passes every case. */
class ScriptedEngineTest extends QueryEngineContract {
    @Override
    protected EngineUnderTest engineUnderTest() {
        return new ScriptedUnderTest(List.of());
    }
}
