/** The conformance kit: an engine's test extends {@link dev.weighlock.query.testkit.QueryEngineContract}. */
@NullMarked
package dev.weighlock.query.testkit;

import org.jspecify.annotations.NullMarked;
