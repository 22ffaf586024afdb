package dev.weighlock.query.backend;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.EngineStatement;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.QueryPlan;
import java.util.Locale;

/** Plans a statement and refuses, before any grant, whatever is not one query with all its values. */
final class Statements {
    private static final String OPERATION = "plan";

    private Statements() {}

    static QueryPlan plan(Services services, EngineStatement statement, QueryScope scope) {
        var plan = services.engine()
                .plan(new PlanRequest(
                        statement.sql(),
                        scope.baseDirectory(),
                        services.settings().planningLimit()));
        requireOneQuery(plan);
        var missing = plan.missing(statement.values());
        if (!missing.isEmpty()) {
            throw new QueryException(
                    ErrorCode.SQL_ERROR, OPERATION, "no value is given for :" + String.join(", :", missing));
        }
        return plan;
    }

    private static void requireOneQuery(QueryPlan plan) {
        if (plan.statements() == 0) {
            throw new QueryException(ErrorCode.SQL_ERROR, OPERATION, "the text holds no statement");
        }
        if (!plan.isOneQuery()) {
            var what = plan.statements() > 1
                    ? "the text holds " + plan.statements() + " statements"
                    : "the statement is no query (" + plan.kind().name().toLowerCase(Locale.ROOT) + ")";
            throw new QueryException(
                    ErrorCode.STATEMENT_REFUSED,
                    OPERATION,
                    what + "; one SELECT is run at a time, and outputs are declared beside it",
                    Facts.of(FactKey.STATEMENT_KIND, plan.kind()).with(FactKey.STATEMENT_COUNT, plan.statements()));
        }
    }
}
