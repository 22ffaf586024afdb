package dev.weighlock.jobs.csv;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.step.FailureCause;

/** A delimited file cannot be read on: it is missing, broken or not in its encoding. The message names file and line. */
public class CsvException extends RuntimeException implements FailureCause {
    private static final long serialVersionUID = 1L;

    public CsvException(String message) {
        super(message);
    }

    public CsvException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public FailureCategory failureCategory() {
        return FailureCategory.DATA_ERROR;
    }
}
