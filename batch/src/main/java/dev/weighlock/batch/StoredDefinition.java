package dev.weighlock.batch;

/**
 * A job's definition as it was at launch, kept so that any node can restart the job from the repository alone.
 *
 * @param digest SHA-256 of the whole content, 64 hexadecimal digits; the key
 * @param format what {@code content} is, such as {@code job-file/1} or {@code java/1}
 * @param content the job text with everything it names, at most 16 MiB
 */
public record StoredDefinition(String digest, JobName job, String format, String content) {}
