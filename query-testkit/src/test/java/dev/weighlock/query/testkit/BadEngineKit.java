package dev.weighlock.query.testkit;

import dev.weighlock.query.testing.EngineDefect;
import java.time.Duration;
import java.util.List;

/** The kit on an engine with one defect. Run by {@link DefectsTest} alone, case by case. */
final class BadEngineKit extends QueryEngineContract {
    /** Set before a run; runs follow each other on one thread. */
    static EngineDefect defect = EngineDefect.TRUNCATES;

    @Override
    protected EngineUnderTest engineUnderTest() {
        return new ScriptedUnderTest(List.of(defect));
    }

    /** What a bad engine does not do within this it never does. */
    @Override
    protected Duration patience() {
        return Duration.ofMillis(500);
    }
}
