package dev.weighlock.app.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.exit.ExitCode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Documents that a newcomer follows must lead somewhere. */
class DocumentsTest {
    static final Path ROOT = repositoryRoot();
    /** A link to a file of this house, perhaps to a place in it. */
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(?:#[^)]*)?\\)");

    private static final Set<String> NOT_SOURCES = Set.of("target", "shared", "node_modules");
    private static final Pattern NUMBERED = Pattern.compile("(?m)^\\d\\. .*$");

    @Test
    void mainPath_namesSixFilesThatExist() throws Exception {
        Path page = ROOT.resolve("docs/main-path.md");
        List<String> steps = new ArrayList<>();
        Matcher matcher = NUMBERED.matcher(Files.readString(page));
        while (matcher.find()) {
            steps.add(matcher.group());
        }

        assertThat(steps).hasSize(6).allSatisfy(step -> {
            Matcher link = LINK.matcher(step);
            assertThat(link.find()).as(step).isTrue();
            assertThat(page.resolveSibling(link.group(1)).normalize()).isRegularFile();
        });
    }

    @Test
    void links_ofEveryDocument_leadToFiles() throws Exception {
        for (Path page : pages()) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                assertThat(page.resolveSibling(link.group(1)).normalize())
                        .as(page + " links")
                        .exists();
            }
        }
    }

    /** Every document that is part of the sources, wherever it stands. */
    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = String.valueOf(folder.getFileName());
                return !folder.equals(ROOT) && (name.startsWith(".") || NOT_SOURCES.contains(name))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    pages.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(pages).contains(ROOT.resolve("README.md"), ROOT.resolve("docs/decisions/leases-and-fencing.md"));
        return pages;
    }

    @Test
    void readme_listsEveryExitCode() throws Exception {
        String readme = Files.readString(ROOT.resolve("README.md"));

        for (ExitCode code : ExitCode.values()) {
            assertThat(readme).contains("| " + code.number() + " |");
        }
    }

    private static Path repositoryRoot() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("wl"))) {
            folder = java.util.Objects.requireNonNull(folder.getParent(), "no wl above the current folder");
        }
        return folder;
    }
}
