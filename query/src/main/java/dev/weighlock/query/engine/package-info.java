/**
 * The port that engines implement: plan without a grant, open a session inside one, run one statement, prove what was
 * released.
 */
@NullMarked
package dev.weighlock.query.engine;

import org.jspecify.annotations.NullMarked;
