package dev.weighlock.batch.jdbc.target;

/** How rows go into a table. */
public enum WriteMode {
    /** A row that is there already is an error. */
    INSERT,
    /** A row with the same key is replaced in every other column given; of two in one chunk the later wins. */
    UPSERT,
    /** PostgreSQL's COPY: the fastest; a row that is there already is an error. */
    COPY
}
