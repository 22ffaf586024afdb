package dev.weighlock.batch.operate;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.repository.PurgeCandidate;
import dev.weighlock.batch.repository.PurgeRule;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a purge would remove, instance by instance.
 *
 * @param digest names rule and instances, so that it is all that carrying the plan out needs
 */
public record PurgePlan(PurgeRule rule, List<PurgeCandidate> instances, String digest) {
    private static final Pattern DIGEST = Pattern.compile("([0-9]{1,15})-([0-9]{1,5})-[0-9a-f]{32}");
    private static final int HASH_BYTES = 16;

    public PurgePlan {
        instances = List.copyOf(instances);
    }

    static PurgePlan of(PurgeRule rule, List<PurgeCandidate> instances) {
        var hash = sha256();
        for (var one : instances) {
            hash.update((one.instanceId() + " " + one.lastExecution() + " " + one.executions() + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
        var digest = "%d-%d-%s"
                .formatted(
                        rule.endedBefore().toEpochMilli(),
                        rule.keepLast(),
                        HexFormat.of().formatHex(hash.digest(), 0, HASH_BYTES));
        return new PurgePlan(rule, instances, digest);
    }

    /**
     * The rule that a digest names.
     *
     * @throws BatchException INVALID_PARAMETER for a text that is no digest of a plan
     */
    static PurgeRule rule(String digest) {
        var parts = DIGEST.matcher(digest);
        if (!parts.matches()) {
            throw new BatchException(
                    BatchError.INVALID_PARAMETER, "'" + digest + "' is not the digest that 'wl purge' printed");
        }
        return new PurgeRule(Instant.ofEpochMilli(Long.parseLong(parts.group(1))), Integer.parseInt(parts.group(2)));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    public long executions() {
        return instances.stream().mapToLong(PurgeCandidate::executions).sum();
    }
}
