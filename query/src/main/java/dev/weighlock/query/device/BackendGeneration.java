package dev.weighlock.query.device;

/** The generation of backend resources a grant was admitted under: what the ledger needs of it. */
public interface BackendGeneration {
    /**
     * Returns while the generation takes new work.
     *
     * @throws dev.weighlock.query.QueryException {@code CANCELLED} with {@code backend_closing} otherwise
     */
    void checkOpen(String operation);

    /** Keeps the generation, and nothing of the attempt, alive until the lease is closed. */
    Lease retain(String operation);

    /** Keeps a generation alive. Closing twice is harmless. */
    interface Lease extends AutoCloseable {
        @Override
        void close();
    }
}
