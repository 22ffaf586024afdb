package dev.weighlock.jobs.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.engine.NamedParameters;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTemplateTest {
    private static String jdbc(String sql) {
        return SqlTemplate.parse(sql).forJdbc(name -> name).sql();
    }

    @Test
    void jdbc_boundNames_becomePositionsInOrder() {
        SqlTemplate.JdbcSql sql =
                SqlTemplate.parse("SELECT :a, :b WHERE x = :a").forJdbc(name -> name);

        assertThat(sql.sql()).isEqualTo("SELECT ?, ? WHERE x = ?");
        assertThat(sql.names()).containsExactly("a", "b", "a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT ':a'",
                "SELECT 'it''s :a'",
                "SELECT E'\\' :a'",
                "SELECT \"x:a\"\":b\"",
                "SELECT 1 -- :a\n",
                "SELECT /* :a */ 1",
                "SELECT $$ :a $$, $t$ :b $t$",
                "SELECT x::int, list[1:n], {'k':v}",
                "SELECT a : b",
                "SELECT ':a",
                "SELECT /* :a",
                "SELECT \":a",
            })
    void parse_colonThatIsNoName_staysAsItIs(String sql) {
        assertThat(SqlTemplate.parse(sql).boundNames()).isEmpty();
        assertThat(jdbc(sql)).isEqualTo(sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT :a",
                ":a",
                "SELECT (:a), x=:b||:c",
                "SELECT ':a' || :b -- :c\n|| :d",
                "SELECT x::int + :a",
                "SELECT $1x, :a",
                "SELECT :größe, :_x1",
                "SELECT e':a\\':b' , :c",
                "SELECT 'a':b, :c::DATE",
                "",
                ":",
                "a:",
            })
    void parse_names_areThoseTheEngineFinds(String sql) {
        assertThat(List.copyOf(SqlTemplate.parse(sql).boundNames()))
                .isEqualTo(NamedParameters.of(sql).names());
    }

    @Test
    void identifier_plainWord_isQuoted() {
        SqlTemplate template = SqlTemplate.parse("SELECT {col|identifier} FROM t WHERE x = :y");

        assertThat(template.forEngine(name -> "amount")).isEqualTo("SELECT \"amount\" FROM t WHERE x = :y");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\"; DROP TABLE t; --", "1a", "größe", "a.b", "a\n"})
    void identifier_anythingElse_isRefusedWithoutShowingIt(String value) {
        SqlTemplate template = SqlTemplate.parse("SELECT {col|identifier}");

        assertThatThrownBy(() -> template.forEngine(name -> value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("{col|identifier} is not a plain identifier");
    }

    @Test
    void parse_marksOfTheDatabase_areFound() {
        assertThat(SqlTemplate.parse("SELECT ?, $1, '?'").parts())
                .filteredOn(SqlTemplate.Part.ForeignMark.class::isInstance)
                .hasSize(2);
    }

    @Test
    void lineOf_placeFurtherDown_countsLineEnds() {
        assertThat(SqlTemplate.parse("a\nb\n:c").lineOf(4)).isEqualTo(2);
    }
}
