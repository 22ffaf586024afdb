package dev.weighlock.query.testkit;

import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.testing.EngineDefect;
import dev.weighlock.query.testing.ScriptedEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The scripted engine, with or without defects. */
record ScriptedUnderTest(List<EngineDefect> defects) implements EngineUnderTest {
    @Override
    public QueryEngine open(Path spillRoot) {
        return new ScriptedEngine(spillRoot.resolve("scripted"), defects.toArray(EngineDefect[]::new));
    }

    @Override
    public String rows(long count) {
        return "ROWS " + count;
    }

    @Override
    public String endless() {
        return "WAIT";
    }

    @Override
    public String endlessRows() {
        return "STREAM";
    }

    @Override
    public String breaksAfterRows() {
        return "BROKEN 1000";
    }

    @Override
    public String needsMemory() {
        return "NEEDS_MEMORY";
    }

    @Override
    public String needsTemp() {
        return "NEEDS_TEMP";
    }

    @Override
    public String needsResultRoom() {
        return "NEEDS_RESULT";
    }

    @Override
    public String spills() {
        return "SPILL 1000";
    }

    @Override
    public String reads(Path file) {
        return "READ " + file;
    }

    @Override
    public Optional<String> readsAll(String pattern) {
        return Optional.empty();
    }

    @Override
    public List<String> refused() {
        return List.of("SET limit", "ROWS 1; ROWS 1", "COPY");
    }

    @Override
    public String doesNotParse() {
        return "NONSENSE";
    }

    @Override
    public String doesNotBind() {
        return "FAIL SQL_ERROR";
    }

    @Override
    public String doesNotEvaluate() {
        return "FAIL DATA_ERROR";
    }

    @Override
    public Optional<String> breaksTheEngine() {
        return Optional.of("FAIL ENGINE_PERSISTENT_FAILURE");
    }
}
