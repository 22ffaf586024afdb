package dev.weighlock.batch.flow;

import dev.weighlock.batch.JobName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeSet;

/**
 * The canonical account of what a restart depends on: one line for the job, one a node. Budgets and display names are
 * no part of it.
 *
 * @param lines by node id; the job's own line under the empty id
 */
public record Manifest(SequencedMap<String, String> lines) {
    private static final String JOB = "";

    public Manifest {
        lines = java.util.Collections.unmodifiableSequencedMap(new LinkedHashMap<>(lines));
    }

    static Manifest of(JobName name, String revision, FlowGraph flow) {
        var lines = new LinkedHashMap<String, String>();
        lines.put(
                JOB,
                ManifestLine.of(
                        "job", name.value(), revision, flow.entry(), flow.rule().label()));
        for (var node : flow.nodes()) {
            lines.put(node.id(), ManifestLine.of(node, flow.transitions(node.id())));
            if (node instanceof FlowNode.SplitNode split) {
                split.inner().forEach(inner -> lines.put(inner.id(), ManifestLine.of(inner, List.of())));
            }
        }
        return new Manifest(lines);
    }

    /** The text that {@link #fingerprint} digests and {@link #parse} reads. */
    public String text() {
        return String.join("\n", lines.values()) + "\n";
    }

    /** Reads a stored manifest back. */
    public static Manifest parse(String text) {
        var lines = new LinkedHashMap<String, String>();
        text.lines().forEach(line -> lines.put(line.startsWith("\"job\"") ? JOB : ManifestLine.id(line), line));
        return new Manifest(lines);
    }

    public String fingerprint() {
        return sha256(text());
    }

    /** Ids of the nodes that differ from {@code other}, added and removed ones included; empty for the job's own line. */
    public List<String> differences(Manifest other) {
        var ids = new TreeSet<>(lines.keySet());
        ids.addAll(other.lines.keySet());
        var changed = new ArrayList<String>();
        for (var id : ids) {
            if (!Map.entry(id, lines.getOrDefault(id, "")).equals(Map.entry(id, other.lines.getOrDefault(id, "")))) {
                changed.add(id);
            }
        }
        return changed;
    }

    /** 64 hexadecimal digits. */
    static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
