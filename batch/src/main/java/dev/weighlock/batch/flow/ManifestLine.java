package dev.weighlock.batch.flow;

import dev.weighlock.batch.chunk.RetryPolicy;
import dev.weighlock.batch.chunk.SkipPolicy;
import java.util.ArrayList;
import java.util.List;

/** One line of a manifest: fields in quotes, so that no two different nodes have one line. */
final class ManifestLine {
    private ManifestLine() {}

    static String of(String... fields) {
        var line = new StringBuilder();
        for (var field : fields) {
            line.append(line.isEmpty() ? "" : " ").append(quoted(field));
        }
        return line.toString();
    }

    static String of(FlowNode node, List<Transition> ordered) {
        var fields = new ArrayList<String>();
        switch (node) {
            case FlowNode.StepNode stepNode -> addStep(fields, stepNode.step());
            case FlowNode.DecisionNode decision ->
                fields.addAll(List.of("decision", decision.id(), decision.revision()));
            case FlowNode.SplitNode split -> addSplit(fields, split);
        }
        ordered.forEach(transition -> fields.addAll(
                List.of("on", transition.pattern(), transition.target().text())));
        return of(fields.toArray(String[]::new));
    }

    private static void addStep(List<String> fields, Step step) {
        fields.addAll(List.of("step", step.name().value(), step.kind(), step.revision()));
        step.partitioning().ifPresent(by -> fields.addAll(List.of("partition", by.revision())));
        if (step instanceof ChunkStep<?, ?> chunk) {
            fields.addAll(List.of("size", Integer.toString(chunk.size())));
            fields.addAll(List.of("delivery", chunk.delivery().label()));
            addRetry(fields, chunk.retry());
            addSkip(fields, chunk.skip());
        }
    }

    private static void addRetry(List<String> fields, RetryPolicy retry) {
        fields.addAll(List.of("retry", Integer.toString(retry.limit()), names(retry.on())));
    }

    private static void addSkip(List<String> fields, SkipPolicy skip) {
        var phases = skip.phases().stream().map(Enum::name).sorted().toList();
        fields.addAll(List.of("skip", Long.toString(skip.limit()), String.join(",", phases), names(skip.on())));
    }

    private static String names(List<Class<? extends Throwable>> types) {
        return String.join(",", types.stream().map(Class::getName).sorted().toList());
    }

    private static void addSplit(List<String> fields, FlowNode.SplitNode split) {
        fields.addAll(List.of("split", split.id()));
        for (var branch : split.branches()) {
            fields.add("branch");
            branch.forEach(node -> fields.add(node.id()));
        }
    }

    private static String quoted(String field) {
        return '"'
                + field.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                + '"';
    }

    /** The second field, which is a node's id. */
    static String id(String line) {
        var id = new StringBuilder();
        int at = line.indexOf("\" \"") + 3;
        for (; at < line.length() && line.charAt(at) != '"'; at++) {
            if (line.charAt(at) == '\\') {
                at++;
            }
            id.append(line.charAt(at));
        }
        return id.toString();
    }
}
