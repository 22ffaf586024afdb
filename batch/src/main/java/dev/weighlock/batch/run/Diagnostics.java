package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.step.FailureCause;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Text for people about what went wrong in one step, partition or job: bounded, without NUL and without the values of
 * secrets. Thread-safe; synchronized on itself.
 */
final class Diagnostics {
    private static final Logger LOG = LoggerFactory.getLogger(Diagnostics.class);
    private static final int MAX_CHARS = 8 * 1024;
    private static final int MAX_FRAMES = 40;

    private final Secrets secrets;
    private final String about;
    private final StringBuilder text = new StringBuilder();

    Diagnostics(Secrets secrets, String about) {
        this.secrets = secrets;
        this.about = about;
    }

    /** Logs the failure under a new id and keeps its text. */
    FailureSummary failed(Throwable failure) {
        return failed(category(failure), failure);
    }

    FailureSummary failed(FailureCategory category, Throwable failure) {
        var id = newId();
        LOG.error("{} failed [{}]\n{}", about, id, trace(failure));
        add(chain(failure));
        return new FailureSummary(category, id);
    }

    /** Logs a failure that changes no outcome. */
    void note(String what, Throwable failure) {
        LOG.warn("{}: {} failed\n{}", about, what, trace(failure));
        add(what + " failed: " + chain(failure));
    }

    /** Logs why an item was passed over: what it was is in the log alone. */
    void skipped(String what, Throwable failure) {
        LOG.warn("{}: {}: {}", about, what, clean(chain(failure)));
    }

    FailureSummary failed(FailureCategory category, String what) {
        var id = newId();
        LOG.error("{} failed [{}]: {}", about, id, clean(what));
        add(what);
        return new FailureSummary(category, id);
    }

    synchronized void add(String line) {
        var clean = clean(line);
        if (!text.isEmpty()) {
            text.append('\n');
        }
        text.append(clean, 0, Math.min(clean.length(), Math.max(0, MAX_CHARS - text.length())));
    }

    synchronized Optional<String> text() {
        return text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
    }

    private String clean(String line) {
        return secrets.hide(line).replace('\0', '\uFFFD');
    }

    private static String newId() {
        var bytes = new byte[6];
        ThreadLocalRandom.current().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static FailureCategory category(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof FailureCause known) {
                return known.failureCategory();
            }
        }
        return FailureCategory.STEP_FAILED;
    }

    /** A known failure says all in its own message; of others each cause is told that adds something. */
    private static String chain(Throwable failure) {
        var chain = new StringBuilder(say(failure));
        Throwable cause = failure instanceof FailureCause ? null : failure.getCause();
        for (; cause != null && chain.length() < MAX_CHARS; cause = cause.getCause()) {
            var message = cause.getMessage();
            if (message == null || chain.indexOf(message) < 0) {
                chain.append("\n  caused by ").append(say(cause));
            }
        }
        return chain.toString();
    }

    private static String say(Throwable failure) {
        var message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        return failure instanceof FailureCause || failure instanceof BatchException
                ? message
                : failure.getClass().getSimpleName() + ": " + message;
    }

    /** A stack trace whose messages pass through {@link #clean}, which a logger's own rendering does not. */
    private String trace(Throwable failure) {
        var trace = new StringBuilder();
        for (Throwable cause = failure; cause != null && trace.length() < 4 * MAX_CHARS; cause = cause.getCause()) {
            trace.append(trace.isEmpty() ? "" : "caused by ").append(cause).append('\n');
            var frames = cause.getStackTrace();
            for (int i = 0; i < Math.min(frames.length, MAX_FRAMES); i++) {
                trace.append("  at ").append(frames[i]).append('\n');
            }
        }
        return clean(trace.toString());
    }
}
