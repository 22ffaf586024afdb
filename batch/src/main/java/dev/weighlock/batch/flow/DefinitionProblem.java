package dev.weighlock.batch.flow;

/**
 * One thing that is wrong with a job's definition.
 *
 * @param node the id it is about; empty when it is about the whole job
 */
public record DefinitionProblem(String node, String message) {
    @Override
    public String toString() {
        return node.isEmpty() ? message : node + ": " + message;
    }
}
