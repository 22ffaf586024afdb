package dev.weighlock.jobs.csv;

/** One record is bad; the next can still be read, so a reader may skip it. */
public final class CsvRecordException extends CsvException {
    private static final long serialVersionUID = 1L;

    CsvRecordException(String message) {
        super(message);
    }
}
