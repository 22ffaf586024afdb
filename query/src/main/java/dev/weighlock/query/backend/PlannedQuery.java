package dev.weighlock.query.backend;

import dev.weighlock.query.engine.DataSet;
import dev.weighlock.query.engine.PlannedStatement;
import java.util.List;

/** A statement with the data sets that it reads. */
record PlannedQuery(PlannedStatement statement, List<DataSet> dataSets) {}
