package dev.weighlock.jobs.csv;

/** A delimited file cannot be read on: it is missing, broken or not in its encoding. The message names file and line. */
public class CsvException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CsvException(String message) {
        super(message);
    }

    public CsvException(String message, Throwable cause) {
        super(message, cause);
    }
}
