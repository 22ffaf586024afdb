package dev.weighlock.jobs.sql;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An SQL text cut at its bound names ({@code :name}) and its checked identifiers ({@code {name|identifier}}). Strings,
 * quoted identifiers, comments and casts ({@code ::}) are never cut. Immutable.
 */
public final class SqlTemplate {
    private static final Pattern IDENTIFIER = Pattern.compile("\\{([\\p{L}_][\\p{L}\\p{N}_]*)\\|identifier}");

    private final String text;
    private final List<Part> parts;

    private SqlTemplate(String text, List<Part> parts) {
        this.text = text;
        this.parts = parts;
    }

    /** A piece of the text; {@code at} is its index there. */
    public sealed interface Part {
        int at();

        /** Text that goes through unchanged. */
        record Literal(int at, String text) implements Part {}

        /** A value that the database binds. */
        record Bind(int at, String name) implements Part {}

        /** A value that names a column or table: checked, then quoted. */
        record Identifier(int at, String name) implements Part {}

        /** A mark of the database's own, which would be confused with bound names. */
        record ForeignMark(int at, String mark) implements Part {}
    }

    public static SqlTemplate parse(String sql) {
        List<Part> parts = new ArrayList<>();
        int literalFrom = 0;
        for (int at = 0; at < sql.length(); ) {
            Part part = partAt(sql, at);
            if (part == null) {
                at = Math.max(SqlLexer.endOfQuoted(sql, at), at + 1);
                continue;
            }
            addLiteral(parts, sql, literalFrom, at);
            parts.add(part);
            at = endOf(sql, part);
            literalFrom = at;
        }
        addLiteral(parts, sql, literalFrom, sql.length());
        return new SqlTemplate(sql, List.copyOf(parts));
    }

    private static void addLiteral(List<Part> parts, String sql, int from, int to) {
        if (from < to) {
            parts.add(new Part.Literal(from, sql.substring(from, to)));
        }
    }

    private static @Nullable Part partAt(String sql, int at) {
        return switch (sql.charAt(at)) {
            case ':' ->
                SqlLexer.beginsName(sql, at)
                        ? new Part.Bind(at, sql.substring(at + 1, SqlLexer.endOfWord(sql, at + 1)))
                        : null;
            case '{' -> identifierAt(sql, at);
            case '?' -> new Part.ForeignMark(at, "?");
            case '$' -> SqlLexer.beginsNumberedMark(sql, at) ? foreignMark(sql, at) : null;
            default -> null;
        };
    }

    private static Part foreignMark(String sql, int at) {
        return new Part.ForeignMark(at, sql.substring(at, SqlLexer.endOfWord(sql, at + 1)));
    }

    private static @Nullable Part identifierAt(String sql, int at) {
        Matcher matcher = IDENTIFIER.matcher(sql).region(at, sql.length());
        return matcher.lookingAt() ? new Part.Identifier(at, matcher.group(1)) : null;
    }

    private static int endOf(String sql, Part part) {
        return switch (part) {
            case Part.Literal literal -> literal.at() + literal.text().length();
            case Part.Bind bind -> bind.at() + 1 + bind.name().length();
            case Part.Identifier identifier -> sql.indexOf('}', identifier.at()) + 1;
            case Part.ForeignMark mark -> mark.at() + mark.mark().length();
        };
    }

    public String text() {
        return text;
    }

    public List<Part> parts() {
        return parts;
    }

    /** The bound names, in the order of their first use. */
    public Set<String> boundNames() {
        Set<String> names = new LinkedHashSet<>();
        for (Part part : parts) {
            if (part instanceof Part.Bind bind) {
                names.add(bind.name());
            }
        }
        return names;
    }

    /** Which line of the text an index stands on, from 0. */
    public int lineOf(int at) {
        return (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
    }

    /**
     * The text for an engine that binds {@code :name} itself.
     *
     * @param identifiers name to the identifier that stands for it, not yet checked
     * @throws IllegalArgumentException where an identifier is not a plain word
     */
    public String forEngine(UnaryOperator<String> identifiers) {
        StringBuilder out = new StringBuilder(text.length());
        for (Part part : parts) {
            switch (part) {
                case Part.Literal literal -> out.append(literal.text());
                case Part.Bind bind -> out.append(':').append(bind.name());
                case Part.Identifier identifier ->
                    out.append(CheckedIdentifier.quoted(identifier.name(), identifiers.apply(identifier.name())));
                case Part.ForeignMark mark -> out.append(mark.mark());
            }
        }
        return out.toString();
    }

    /** The text for JDBC, where every bound name is a {@code ?}. */
    public JdbcSql forJdbc(UnaryOperator<String> identifiers) {
        StringBuilder out = new StringBuilder(text.length());
        List<String> names = new ArrayList<>();
        for (Part part : parts) {
            switch (part) {
                case Part.Literal literal -> out.append(literal.text());
                case Part.Bind bind -> {
                    out.append('?');
                    names.add(bind.name());
                }
                case Part.Identifier identifier ->
                    out.append(CheckedIdentifier.quoted(identifier.name(), identifiers.apply(identifier.name())));
                case Part.ForeignMark mark -> out.append(mark.mark());
            }
        }
        return new JdbcSql(out.toString(), names);
    }

    /**
     * A statement with positions.
     *
     * @param names of the values, one a position
     */
    public record JdbcSql(String sql, List<String> names) {
        public JdbcSql {
            names = List.copyOf(names);
        }
    }
}
