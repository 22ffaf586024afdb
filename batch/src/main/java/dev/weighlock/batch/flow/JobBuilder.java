package dev.weighlock.batch.flow;

import dev.weighlock.batch.JobName;
import dev.weighlock.batch.MaxConcurrent;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.step.JobListener;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects a job's parts; {@link #build} checks them all at once. For one thread. */
public final class JobBuilder {
    final JobName name;
    String revision = "1";
    Optional<String> description = Optional.empty();
    final List<JobListener> listeners = new ArrayList<>();
    Job.Recovery recovery = Job.Recovery.FAIL;
    Optional<MaxConcurrent> maxConcurrent = Optional.empty();
    final Set<String> upgradesFrom = new HashSet<>();
    final List<FlowNode> nodes = new ArrayList<>();
    final List<NestedFlow> nested = new ArrayList<>();
    final Map<String, String> joins = new LinkedHashMap<>();
    final Map<String, List<Transition>> explicit = new LinkedHashMap<>();
    TransitionRule rule = TransitionRule.mostSpecific();
    private @Nullable String format;
    private @Nullable String content;

    JobBuilder(String name) {
        this.name = new JobName(name);
    }

    /** Part of the fingerprint. */
    public JobBuilder revision(String text) {
        revision = text;
        return this;
    }

    public JobBuilder description(String text) {
        description = Optional.of(text);
        return this;
    }

    public JobBuilder listener(JobListener listener) {
        listeners.add(listener);
        return this;
    }

    public JobBuilder recovery(Job.Recovery policy) {
        recovery = policy;
        return this;
    }

    /** Limits how many executions of the job are active at once, over all instances and nodes. */
    public JobBuilder maxConcurrent(int runs, MaxConcurrent.Otherwise otherwise) {
        maxConcurrent = Optional.of(new MaxConcurrent(runs, otherwise));
        return this;
    }

    /** Allows a restart of executions of an older definition, whose steps of the same names mean the same work. */
    public JobBuilder upgradesFrom(String fingerprint) {
        upgradesFrom.add(fingerprint);
        return this;
    }

    public JobBuilder transitionRule(TransitionRule other) {
        rule = other;
        return this;
    }

    /**
     * What is stored at launch for a restart by any node; a Java job without it is stored as its manifest.
     *
     * @param formatLabel tells which {@code JobDefinitions} reads it, such as {@code job-file/1}
     */
    public JobBuilder definition(String formatLabel, String text) {
        format = formatLabel;
        content = text;
        return this;
    }

    public JobBuilder step(Step step) {
        nodes.add(new FlowNode.StepNode(step));
        return this;
    }

    public JobBuilder decision(String id, String decisionRevision, Decider decider) {
        return decision(new FlowNode.DecisionNode(id, decider, decisionRevision));
    }

    public JobBuilder decision(FlowNode.DecisionNode decision) {
        nodes.add(decision);
        return this;
    }

    /**
     * Branches that run at once, then {@code join}.
     *
     * @param join id of the node after all branches, or an ending
     */
    public JobBuilder split(String id, List<List<Step>> branches, String join, int workers, OnFailure onFailure) {
        List<List<FlowNode>> nodesOfBranches = branches.stream()
                .map(branch ->
                        branch.stream().<FlowNode>map(FlowNode.StepNode::new).toList())
                .toList();
        return split(new FlowNode.SplitNode(id, nodesOfBranches, workers, onFailure), join);
    }

    /** Branches that may hold further splits; an inner one goes on with the node that follows it in its branch. */
    public JobBuilder split(FlowNode.SplitNode split, String join) {
        nodes.add(split);
        joins.put(split.id(), join);
        return this;
    }

    /**
     * The flow of another job, whose nodes take their places here. Its COMPLETE and FAIL lead where this flow's exit
     * codes COMPLETED and FAILED lead, its STOP stops this job. Its name, revision and listeners do not count.
     *
     * @param id stands for the whole flow in transitions, to it and from it
     */
    public JobBuilder nested(String id, Job inner) {
        nested.add(new NestedFlow(id, inner.flow(), nodes.size()));
        nodes.addAll(inner.flow().nodes());
        return this;
    }

    /** A node's transitions, in place of the usual ones: FAILED to FAIL, all else to the next node. */
    public JobBuilder flow(String node, Transition... transitions) {
        explicit.computeIfAbsent(node, id -> new ArrayList<>()).addAll(List.of(transitions));
        return this;
    }

    /** @throws DefinitionException naming every problem */
    public Job build() {
        return new Job(this, new DefinitionCheck(this).graph());
    }

    StoredDefinition definition(Manifest manifest) {
        var kind = format == null ? "java/1" : format;
        var text = content == null ? manifest.text() : content;
        return new StoredDefinition(Manifest.sha256(kind + "\n" + text), name, kind, text);
    }
}
