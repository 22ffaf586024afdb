package dev.weighlock.query.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NamedParametersTest {
    @Test
    void of_aNameUsedTwice_getsOneNumber() {
        var named = NamedParameters.of("SELECT * FROM t WHERE a = :day AND b>:low AND c<:day");
        assertThat(named.sql()).isEqualTo("SELECT * FROM t WHERE a = $1 AND b>$2 AND c<$1");
        assertThat(named.names()).containsExactly("day", "low");
    }

    @Test
    void of_colonsThatBeginNoName_leavesThem() {
        for (var sql : new String[] {
            "SELECT x::int, '1'::date, (a)::b",
            "SELECT a[1:n], a[x:n], f(x)[1]",
            "SELECT {'k':v, \"q\":w}",
            "SELECT ':a', ':it''s :b', \":c\", $$ :d $$, $t$ :e $$ $t$",
            "SELECT 1 -- :a\n, 2 /* :b */",
            "SELECT E'it\\'s :a'",
            "SELECT a : 1, : 2, :1"
        }) {
            assertThat(NamedParameters.of(sql).sql()).isEqualTo(sql);
            assertThat(NamedParameters.of(sql).names()).isEmpty();
        }
    }

    @Test
    void of_namesInEveryPlace_findsThem() {
        assertThat(NamedParameters.of(":a").sql()).isEqualTo("$1");
        assertThat(NamedParameters.of("f(:a,:b_1)+:c::int").sql()).isEqualTo("f($1,$2)+$3::int");
        assertThat(NamedParameters.of("'x' || :a -- :b\n|| :ä").names()).containsExactly("a", "ä");
    }

    @Test
    void statements_areCountedOutsideQuotesAndComments() {
        assertThat(SqlText.statements("SELECT ';' -- ;\n; ; /* ; */")).isEqualTo(1);
        assertThat(SqlText.statements("SELECT 1; SELECT 2")).isEqualTo(2);
        assertThat(SqlText.firstStatement("SELECT $$;$$ ; -- end")).isEqualTo("SELECT $$;$$ ");
        assertThat(SqlText.firstWord(" /* x */ -- y\n ( select 1)")).isEqualTo("SELECT");
    }

    @Test
    void statement_withAValueThatNobodyCanBind_isRefused() {
        assertThatThrownBy(() -> new EngineStatement("SELECT :a", Map.of("a", new Object())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(":a");
    }
}
