package dev.weighlock.batch;

/**
 * Where the flow went after a node, committed before the target starts.
 *
 * @param node the step or decision left
 * @param exitCode what it was routed by
 * @param target the node entered, or COMPLETE, FAIL, STOP
 */
public record FlowDecision(String node, String exitCode, String target) {}
