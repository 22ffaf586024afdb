package dev.weighlock.jobs.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects every problem of one file, so that the user sees all of them at once. Not thread-safe. */
public final class Problems {
    /** More than this many help nobody, and a hostile file must not fill the memory. */
    private static final int LIMIT = 200;

    private final String file;
    private final List<Problem> found = new ArrayList<>();

    public Problems(String file) {
        this.file = file;
    }

    public void error(Position at, String what, String todo) {
        errorIn(file, at, what, todo);
    }

    /** An error that stands in another file, for example an SQL file that the job names. */
    public void errorIn(String otherFile, Position at, String what, String todo) {
        add(new Problem(Problem.Severity.ERROR, otherFile, at, what, todo));
    }

    /** What a rule refuses, in a file that is sound. */
    public void refusal(Position at, String what, String todo) {
        add(new Problem(Problem.Severity.REFUSED, file, at, what, todo));
    }

    public void warning(Position at, String what, String todo) {
        add(new Problem(Problem.Severity.WARNING, file, at, what, todo));
    }

    private void add(Problem problem) {
        if (found.size() < LIMIT && !found.contains(problem)) {
            found.add(problem);
        }
    }

    /** The number of problems so far; a caller compares two counts to see whether a part was sound. */
    public int count() {
        return found.size();
    }

    public boolean hasErrors() {
        return found.stream().anyMatch(problem -> !problem.isWarning());
    }

    /** Errors in the order of their lines. */
    public List<Problem> errors() {
        return sorted(false);
    }

    public List<Problem> warnings() {
        return sorted(true);
    }

    private List<Problem> sorted(boolean warnings) {
        return found.stream()
                .filter(problem -> problem.isWarning() == warnings)
                .sorted(Comparator.comparing(
                                (Problem problem) -> !problem.file().equals(file))
                        .thenComparingInt(problem -> problem.at().line())
                        .thenComparingInt(problem -> problem.at().column()))
                .toList();
    }
}
