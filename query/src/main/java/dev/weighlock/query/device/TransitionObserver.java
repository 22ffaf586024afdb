package dev.weighlock.query.device;

/**
 * Sees every transition while the ledger's lock is held. The transition is its whole input: calling the same ledger
 * fails, calling another one is legal only towards a higher ordinal. What it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface TransitionObserver {
    void observe(LedgerTransition transition);
}
