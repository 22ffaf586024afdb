package dev.weighlock.query.attempt;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.lifecycle.OpenHandles;
import dev.weighlock.query.report.AttemptReport;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One counted receiver of an attempt's report. As long as one is open when the report is published, the report counts
 * as received; else it goes to the queue of abandoned reports.
 *
 * <p>Any thread. It holds nothing of the backend and delays neither cleanup nor close. The holder closes it, before or
 * after the report; one that is forgotten is closed and named when it is collected.
 */
public final class AttemptCompletion implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptCompletion.class);
    private static final Cleaner CLEANER = Cleaner.create();

    private final Publication publication;
    private final Receiver receiver;
    private final Cleaner.Cleanable cleanable;

    AttemptCompletion(AttemptId attemptId, Publication publication, OpenHandles open) {
        this.publication = publication;
        publication.openReceiver();
        this.receiver = new Receiver(attemptId, publication, open.opened("completion receiver", attemptId));
        this.cleanable = CLEANER.register(this, receiver);
    }

    /** The report, when it is published. */
    public Optional<AttemptReport> poll() {
        return publication.poll();
    }

    /** Waits at most {@code timeout} for the report. */
    public Optional<AttemptReport> await(Duration timeout) throws InterruptedException {
        return publication.await(saturatedNanos(timeout));
    }

    /** Waits for the report; every attempt has one in the end, so this has no deadline of its own. */
    public AttemptReport await() throws InterruptedException {
        var report = publication.await(Long.MAX_VALUE);
        while (report.isEmpty()) {
            report = publication.await(Long.MAX_VALUE);
        }
        return report.get();
    }

    /** As {@link CompletionFactory#stage}. */
    public CompletionStage<AttemptReport> stage() {
        return publication.stage().minimalCompletionStage();
    }

    @Override
    public void close() {
        receiver.closedByHolder = true;
        cleanable.clean();
    }

    private static long saturatedNanos(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException tooLong) {
            return timeout.isNegative() ? 0 : Long.MAX_VALUE;
        }
    }

    /** What the count and the list of open handles know of a completion; runs once. */
    private static final class Receiver implements Runnable {
        private final AttemptId attemptId;
        private final Publication publication;
        private final OpenHandles.Entry open;
        private volatile boolean closedByHolder;

        private Receiver(AttemptId attemptId, Publication publication, OpenHandles.Entry open) {
            this.attemptId = attemptId;
            this.publication = publication;
            this.open = open;
        }

        @Override
        public void run() {
            open.close();
            publication.closeReceiver();
            if (!closedByHolder) {
                LOG.warn("A completion receiver of attempt {} was never closed", attemptId);
            }
        }
    }
}
