package dev.weighlock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    private static final List<Function<String, Object>> KINDS =
            List.of(JobName::new, StepName::new, ParameterName::new, ExitStatus::new);

    @ParameterizedTest
    @ValueSource(strings = {"", " a", "a ", "\u00A0a", "a\t", "a\nb", "a\u0000b", "a\u0085b"})
    void name_emptySpacedOrWithControls_isRefused(String name) {
        for (var kind : KINDS) {
            assertThatThrownBy(() -> kind.apply(name))
                    .isInstanceOfSatisfying(
                            BatchException.class, e -> assertThat(e.error()).isEqualTo(BatchError.INVALID_DEFINITION));
        }
    }

    @Test
    void name_bound_isCountedInBytes() {
        assertThat(new JobName("ä".repeat(64)).value()).hasSize(64);
        assertThatThrownBy(() -> new JobName("ä".repeat(64) + "a")).hasMessageContaining("129 bytes");
        assertThat(new ExitStatus("x".repeat(64)).code()).hasSize(64);
        assertThatThrownBy(() -> new ExitStatus("x".repeat(65))).hasMessageContaining("limit of 64");
    }

    @Test
    void name_comparedByteForByte_tellsCaseAndFormsApart() {
        assertThat(new StepName("a")).isNotEqualTo(new StepName("A"));
        assertThat(new StepName("\u00E9")).isNotEqualTo(new StepName("e\u0301"));
        assertThat(new StepName("a b c")).isEqualTo(new StepName("a b c"));
    }
}
