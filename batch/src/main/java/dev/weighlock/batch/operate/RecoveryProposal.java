package dev.weighlock.batch.operate;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What a person decides an outcome on.
 *
 * @param evidence what is stored of execution and steps, one line each
 * @param digest of the evidence; names it in the decision, 64 hexadecimal digits
 */
public record RecoveryProposal(JobExecution execution, String evidence, String digest) {
    private static final int MAX_STEPS = 1000;

    static RecoveryProposal of(JobExecution execution, List<StepExecution> steps) {
        var text = new StringBuilder();
        text.append("execution ").append(execution.id()).append(' ').append(execution.status());
        text.append(" version ").append(execution.version()).append(" epoch ").append(execution.epoch());
        text.append(" owner ").append(execution.ownerNode()).append('\n');
        steps.stream()
                .limit(MAX_STEPS)
                .forEach(step -> text.append("step ")
                        .append(step.name())
                        .append(' ')
                        .append(step.status())
                        .append(" version ")
                        .append(step.version())
                        .append(" written ")
                        .append(step.counts().written())
                        .append('\n'));
        if (steps.size() > MAX_STEPS) {
            text.append(steps.size() - MAX_STEPS).append(" more steps\n");
        }
        return new RecoveryProposal(execution, text.toString(), sha256(text.toString()));
    }

    private static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
