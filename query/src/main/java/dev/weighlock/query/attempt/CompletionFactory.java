package dev.weighlock.query.attempt;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.lifecycle.OpenHandles;
import dev.weighlock.query.report.AttemptReport;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Mints the receivers of one attempt's report and reads the report, without being a receiver itself: an adapter may keep
 * it and still nobody is thought to be listening. Any thread; nothing to close.
 */
public final class CompletionFactory {
    private final AttemptId attemptId;
    private final Publication publication;
    private final OpenHandles open;

    CompletionFactory(AttemptId attemptId, Publication publication, OpenHandles open) {
        this.attemptId = attemptId;
        this.publication = publication;
        this.open = open;
    }

    /** A new counted receiver, which the caller closes. */
    public AttemptCompletion completion() {
        return new AttemptCompletion(attemptId, publication, open);
    }

    /**
     * A stage that completes with the report, on the backend's executor, after the attempt has left the backend. Asking
     * for one makes one receiver, which ends by itself.
     */
    public CompletionStage<AttemptReport> stage() {
        return publication.stage().minimalCompletionStage();
    }

    /** The report, when it is published. */
    public Optional<AttemptReport> report() {
        return publication.poll();
    }
}
