package dev.weighlock.query.device;

/**
 * Sees the transitions that may change what can be admitted (a release, a close, a frozen publish, and
 * poison, which is told as a close and moves no sequence) after every ledger
 * lock of the thread is free. It may call the ledger. What it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface AdmissionObserver {
    void admissionMayChange(LedgerTransition transition);
}
