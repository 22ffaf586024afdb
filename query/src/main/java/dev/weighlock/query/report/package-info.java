/**
 * What is known about an attempt once it is over: the immutable report, its closed sets, its JSON, and the smaller
 * projection that metrics are counted from. Values only; nothing here has a thread or a lock.
 *
 * <p>Start with {@link dev.weighlock.query.report.AttemptReport}.
 */
@NullMarked
package dev.weighlock.query.report;

import org.jspecify.annotations.NullMarked;
