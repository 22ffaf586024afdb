package dev.weighlock.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages about locks and tests know what this module has. */
class PagesTest {
    private static final Pattern LOCK = Pattern.compile(
            "new ReentrantLock\\(|new ReentrantReadWriteLock\\(|new Semaphore\\(|\\bsynchronized [(a-z]");

    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    @Test
    void everyClassWithALock_standsOnThePage() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "locks.md"));
        List<String> locking = classesWithALock();

        assertThat(locking).contains("LedgerGuard", "Publication", "BackendLifecycle");
        assertThat(locking).allSatisfy(name -> assertThat(page).contains("`" + name));
    }

    @Test
    void everyTestOnThePage_exists() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "query-tests.md"));
        List<MatchResult> named = NAMED_TEST.matcher(page).results().toList();

        assertThat(named).hasSizeGreaterThan(27 + 11 + 7);
        for (MatchResult test : named) {
            assertThat(sourceOf(test.group(1))).as(test.group()).contains(" " + test.group(2) + "(");
        }
    }

    private static String sourceOf(String testClass) throws IOException {
        try (var files = Files.walk(Path.of("src", "test", "java"))) {
            Path source = files.filter(file -> file.endsWith(testClass + ".java"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no test class " + testClass));
            return Files.readString(source);
        }
    }

    private static List<String> classesWithALock() throws IOException {
        try (var files = Files.walk(Path.of("src", "main", "java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(PagesTest::hasALock)
                    .map(file -> file.getFileName().toString().replace(".java", ""))
                    .toList();
        }
    }

    private static boolean hasALock(Path file) {
        try {
            return LOCK.matcher(Files.readString(file)).find();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
