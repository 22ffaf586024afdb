package dev.weighlock.query.testkit;

import dev.weighlock.query.engine.QueryEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What the kit must know of an engine: how to open it and how it spells what the cases need. Statements run under a
 * grant of 64 MiB with 256 MiB to spill, except where another is said.
 */
public interface EngineUnderTest {
    /** A new engine that spills below {@code spillRoot} only; the kit closes it. */
    QueryEngine open(Path spillRoot);

    /** One column of whole numbers, so many rows. */
    String rows(long count);

    /** Runs until it is cancelled, without rows before. */
    String endless();

    /** Gives rows until it is cancelled. */
    String endlessRows();

    /** Gives some rows, then fails because of its data. */
    String breaksAfterRows();

    /** Needs more memory than it is granted and cannot spill. */
    String needsMemory();

    /** Spills more than 8 MiB, its limit. */
    String needsTemp();

    /** Gives rows so wide that those of one fetch do not fit in the result allowance of a grant of 128 MiB. */
    String needsResultRoom();

    /** Gives rows, and has spilled files from the first of them to the last. */
    String spills();

    /** Reads a text file. */
    String reads(Path file);

    /** Reads the text files that match a pattern. */
    Optional<String> readsAll(String pattern);

    /** Texts that are anything but one query. */
    List<String> refused();

    /** Does not parse. */
    String doesNotParse();

    /** Parses, and fails when it is bound, by the fault of the caller. */
    String doesNotBind();

    /** Parses and binds, and fails when it is evaluated, by the fault of the data. */
    String doesNotEvaluate();

    /** Fails by the engine's own fault; empty where no statement can bring that about. */
    Optional<String> breaksTheEngine();
}
