package dev.weighlock.jobs.check;

import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.PartitionKeys;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.SplitKeys;
import dev.weighlock.jobs.file.SqlSource;
import dev.weighlock.jobs.yaml.Position;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.QueryPlan;
import dev.weighlock.query.engine.StatementPlanner;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The SQL that the engine runs parses, is one query, and names data sets that are declared. Nothing of it is run. */
final class SqlRules {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String DATA_SET = "cache.";

    private final JobFile job;
    private final StatementPlanner planner;
    private final Problems problems;

    SqlRules(JobFile job, StatementPlanner planner, Problems problems) {
        this.job = job;
        this.planner = planner;
        this.problems = problems;
    }

    void check() {
        for (FileStep step : job.steps()) {
            step.partition().flatMap(PartitionKeys::by).ifPresent(this::checkStatement);
            switch (step.work()) {
                case QueryKeys query -> checkStatement(query.sql());
                case DecisionKeys.Sql decision -> checkStatement(decision.sql());
                case ChunkKeys chunk -> ContextUse.expressions(chunk).forEach(this::checkExpression);
                // The SQL of a source is its database's.
                case SourceKeys _, ShellKeys _, JavaKeys _, DecisionKeys.OfClass _, SplitKeys _ -> {}
            }
        }
    }

    private void checkStatement(SqlSource sql) {
        check(sql, text(sql));
    }

    private void checkExpression(SqlSource sql) {
        check(sql, "SELECT (" + text(sql) + "\n)");
    }

    /** Which identifiers stand in the text is known only when the job runs; a parser takes any. */
    private static String text(SqlSource sql) {
        return sql.template().forEngine(_ -> "x");
    }

    private void check(SqlSource sql, String text) {
        try {
            checkPlan(sql, planner.plan(new PlanRequest(text, job.source().folder(), LIMIT)));
        } catch (QueryException wrong) {
            problems.errorIn(sql.file(), place(sql, wrong), "the SQL does not parse: " + wrong.text(), "correct it");
        }
    }

    private static Position place(SqlSource sql, QueryException wrong) {
        int line = wrong.facts().value(FactKey.LINE).map(Integer::parseInt).orElse(1);
        // An expression that breaks off is missed behind its last line.
        int last = sql.template().lineOf(sql.template().text().length());
        return sql.lineOf(Math.min(line - 1, last));
    }

    private void checkPlan(SqlSource sql, QueryPlan plan) {
        if (!plan.isOneQuery()) {
            String what = plan.statements() > 1
                    ? "the SQL holds %d statements".formatted(plan.statements())
                    : "the SQL is no query (%s)".formatted(plan.kind().name().toLowerCase(Locale.ROOT));
            problems.errorIn(sql.file(), sql.textAt(), what, "write one SELECT; outputs are declared beside it");
        }
        undeclared(plan)
                .forEach(name -> problems.errorIn(
                        sql.file(),
                        sql.textAt(),
                        "the SQL names the data set '%s', which is not declared".formatted(name),
                        "declare it under 'cache'; declared are " + declared()));
    }

    private Stream<String> undeclared(QueryPlan plan) {
        return plan.tables().stream()
                .map(table -> table.toLowerCase(Locale.ROOT))
                .filter(table -> table.startsWith(DATA_SET))
                .map(table -> table.substring(DATA_SET.length()))
                .filter(name -> !declared().contains(name));
    }

    private List<String> declared() {
        return job.cache().stream().map(key -> key.set().name()).toList();
    }
}
