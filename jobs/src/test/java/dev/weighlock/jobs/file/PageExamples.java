package dev.weighlock.jobs.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** The examples of the page on job files: whole jobs, with the tests' own classes in place of the users'. */
public final class PageExamples {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$");

    private PageExamples() {}

    /** The page's text. */
    public static String page() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/job-file.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "no docs/job-file.md above the current folder");
        }
        try {
            return Files.readString(folder.resolve("docs/job-file.md"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Every example, in the order of the page. */
    public static List<String> all() {
        return BLOCK.matcher(page())
                .results()
                .map(block -> block.group(1).replace("com.example.", "dev.weighlock.jobs.compile.UserCode$"))
                .toList();
    }
}
