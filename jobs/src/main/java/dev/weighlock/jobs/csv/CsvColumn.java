package dev.weighlock.jobs.csv;

/** A column of a delimited file. */
public record CsvColumn(String name, ColumnType type) {}
