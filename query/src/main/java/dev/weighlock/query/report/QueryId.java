package dev.weighlock.query.report;

/** The caller's name for a query: not blank, at most 256 bytes of UTF-8. */
public record QueryId(String value) {
    public QueryId {
        BoundedText.check("query id", value, 256);
    }

    @Override
    public String toString() {
        return value;
    }
}
