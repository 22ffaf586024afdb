package dev.weighlock.jobs.file;

import java.util.List;
import java.util.OptionalInt;

/**
 * A split: branches of steps that run at once.
 *
 * @param branches ids of steps, each in one branch
 * @param join the step after all branches
 */
public record SplitKeys(List<List<String>> branches, String join, OptionalInt workers, OnFailure onFailure)
        implements StepWork {
    public SplitKeys {
        branches = branches.stream().map(List::copyOf).toList();
    }
}
