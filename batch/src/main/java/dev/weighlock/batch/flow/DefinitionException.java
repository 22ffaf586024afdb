package dev.weighlock.batch.flow;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** A definition that is refused, with every problem it has. */
public final class DefinitionException extends BatchException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<DefinitionProblem> problems;

    DefinitionException(String job, List<DefinitionProblem> problems) {
        super(BatchError.INVALID_DEFINITION, message(job, problems));
        this.problems = List.copyOf(problems);
    }

    private static String message(String job, List<DefinitionProblem> problems) {
        return problems.stream()
                .map(DefinitionProblem::toString)
                .collect(Collectors.joining("\n  ", "the job \"" + job + "\" is not valid:\n  ", ""));
    }

    public List<DefinitionProblem> problems() {
        return problems;
    }
}
