package dev.weighlock.jobs.yaml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that a mistyped one most likely meant. */
public final class NearestName {
    private static final int LONGEST = 64;

    private NearestName() {}

    /** The nearest known name; empty when none is near enough to be worth saying. */
    public static Optional<String> of(String typed, Collection<String> known) {
        if (typed.length() > LONGEST) {
            return Optional.empty();
        }
        String plain = plain(typed);
        int allowed = Math.max(1, plain.length() / 3);
        return known.stream()
                .map(name -> new Candidate(name, distance(plain, plain(name))))
                .filter(candidate -> candidate.distance() <= allowed)
                .min(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
                .map(Candidate::name);
    }

    private record Candidate(String name, int distance) {}

    /** Case, dashes and underscores are the usual slips, so they cost nothing. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "").replace(" ", "");
    }

    /** Edits between two names, where exchanging two neighbours counts as one. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : step(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int step(int[][] cost, String a, String b, int i, int j) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int best = Math.min(cost[i - 1][j - 1] + change, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean exchanged = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return exchanged ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
