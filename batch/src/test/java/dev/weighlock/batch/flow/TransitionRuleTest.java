package dev.weighlock.batch.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TransitionRuleTest {
    private static final List<Transition> OVERLAPPING = List.of(
            Transition.on("*", "any"),
            Transition.on("FAIL*", "fail"),
            Transition.on("FAILED", "exact"),
            Transition.on("FAIL?X", "six"),
            Transition.on("F*", "f"));

    private static final Map<String, String> EXPECTED = Map.of(
            "FAILED", "exact",
            "FAILXX", "six",
            "FAILURE", "fail",
            "FAIL", "fail",
            "FOO", "f",
            "COMPLETED", "any");

    @Test
    void choose_all120OrdersOfFiveOverlapping_giveTheSameAnswers() {
        var orders = permutations(OVERLAPPING);
        assertThat(orders).hasSize(120);

        for (var order : orders) {
            var ordered = TransitionRule.mostSpecific().order(order);
            assertThat(TransitionRule.mostSpecific().problems(order)).isEmpty();
            EXPECTED.forEach((code, target) -> assertThat(TransitionRule.mostSpecific()
                            .choose(code, ordered)
                            .orElseThrow()
                            .target())
                    .isEqualTo(Target.parse(target)));
        }
    }

    private static <T> List<List<T>> permutations(List<T> items) {
        if (items.isEmpty()) {
            return List.of(List.of());
        }
        var all = new ArrayList<List<T>>();
        for (int i = 0; i < items.size(); i++) {
            var rest = new ArrayList<>(items);
            var first = rest.remove(i);
            for (var tail : permutations(rest)) {
                var one = new ArrayList<T>(List.of(first));
                one.addAll(tail);
                all.add(one);
            }
        }
        return all;
    }

    @Test
    void problems_equallySpecificThatCanBothMatch_areNamed() {
        var rule = TransitionRule.mostSpecific();

        assertThat(rule.problems(List.of(Transition.on("A*", "x"), Transition.on("*A", "y"))))
                .singleElement()
                .asString()
                .contains("A*")
                .contains("*A");
        assertThat(rule.problems(List.of(Transition.on("A*", "x"), Transition.on("B*", "y"))))
                .isEmpty();
        assertThat(rule.problems(List.of(Transition.on("A?", "x"), Transition.on("?B", "y"))))
                .hasSize(1);
        assertThat(rule.problems(List.of(Transition.on("AB", "x"), Transition.on("AB", "y"))))
                .hasSize(1);
    }

    @Test
    void overlap_ofRandomPatterns_agreesWithTryingAllCodes() {
        long seed = 20261130;
        var random = new Random(seed);
        var codes = codes();
        for (int i = 0; i < 3000; i++) {
            var a = pattern(random);
            var b = pattern(random);
            boolean both = codes.stream()
                    .anyMatch(code -> ExitCodePattern.matches(a, code) && ExitCodePattern.matches(b, code));
            assertThat(ExitCodePattern.overlap(a, b))
                    .as("%s and %s, seed %s", a, b, seed)
                    .isEqualTo(both);
        }
    }

    private static String pattern(Random random) {
        var pattern = new StringBuilder();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            pattern.append("ab?*".charAt(random.nextInt(4)));
        }
        return pattern.toString();
    }

    /** Every text of up to six letters of two: long enough for two patterns of three symbols. */
    private static List<String> codes() {
        var codes = new ArrayList<String>(List.of(""));
        for (int i = 0; i < codes.size() && codes.get(i).length() < 6; i++) {
            codes.add(codes.get(i) + "a");
            codes.add(codes.get(i) + "b");
        }
        return codes;
    }
}
