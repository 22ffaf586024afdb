package dev.weighlock.batch.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DrainResultTest {
    @Test
    void incomplete_namesItsPhasesInTheirOrder() {
        var one = Arrays.stream(TaskPhase.values()).collect(Collectors.toMap(Function.identity(), phase -> 1));

        var result = new DrainResult.Incomplete(TaskPhase.values().length, one, 0, false);

        assertThat(result.byPhase().keySet()).containsExactly(TaskPhase.values());
    }
}
