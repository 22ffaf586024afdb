package dev.weighlock.query.report;

/** The caller's trace context: not blank, at most 1,024 bytes of UTF-8. */
public record TraceContext(String value) {
    public TraceContext {
        BoundedText.check("trace context", value, 1024);
    }

    @Override
    public String toString() {
        return value;
    }
}
