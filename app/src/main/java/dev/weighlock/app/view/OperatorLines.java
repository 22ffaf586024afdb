package dev.weighlock.app.view;

import dev.weighlock.app.terminal.Table;
import dev.weighlock.query.engine.StatementProfile;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operators of a statement as a tree: each stands above its inputs, which are indented. */
public final class OperatorLines {
    private static final String INDENT = "  ";
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private OperatorLines() {}

    public static List<String> of(StatementProfile profile) {
        Table table = new Table("OPERATOR", "#ROWS", "#HANDED ON", "#TIME");
        for (StatementProfile.Operator operator : profile.operators()) {
            String detail = operator.detail() == null ? "" : " " + operator.detail();
            table.row(
                    INDENT.repeat(operator.depth()) + operator.name() + detail,
                    QueryAccount.count(operator.rows()),
                    QueryAccount.bytes(operator.bytes()),
                    time(operator.time()));
        }
        if (profile.omitted() > 0) {
            table.row("… and " + profile.omitted() + " more", "", "", "");
        }
        return table.lines();
    }

    /** Most operators take less than a millisecond. */
    private static String time(@Nullable Duration time) {
        return time != null && time.compareTo(MILLISECOND) < 0
                ? time.toNanos() / 1_000 + " µs"
                : QueryAccount.time(time);
    }
}
