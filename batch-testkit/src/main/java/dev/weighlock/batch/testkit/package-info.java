/**
 * Test support for users' own jobs: {@link dev.weighlock.batch.testkit.JobTester} runs a job, a step, or one reader,
 * processor or writer, on a repository in memory and a clock that the test moves.
 * {@link dev.weighlock.batch.testkit.ChildJvm} runs a main class in a process that a test kills,
 * {@link dev.weighlock.batch.testkit.EmbeddedDatabase} is a real PostgreSQL server, and
 * {@link dev.weighlock.batch.testkit.CutProxy} loses its answers. Contracts for own readers and repositories stand in
 * {@code contract}.
 *
 * <p>The page {@code docs/testing-jobs.md} shows how.
 */
@NullMarked
package dev.weighlock.batch.testkit;

import org.jspecify.annotations.NullMarked;
