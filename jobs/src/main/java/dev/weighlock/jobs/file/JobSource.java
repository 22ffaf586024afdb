package dev.weighlock.jobs.file;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The texts of a job: from disk when it is first run, from the repository when it is restarted.
 *
 * @param shownName the job file as the user knows it
 * @param folder absolute; relative paths of the job begin here
 * @param text of the job file
 * @param sqlTexts of the SQL files that the job names, by the names it uses
 */
public record JobSource(String shownName, Path folder, String text, Map<String, String> sqlTexts) {
    static final int MAX_FILE_BYTES = 1 << 20;

    public JobSource {
        sqlTexts = Collections.unmodifiableMap(new TreeMap<>(sqlTexts));
    }

    /** Text of a file, or why there is none. */
    sealed interface FileText {
        record Found(String text) implements FileText {}

        /** What is wrong, and what to do. */
        record Missing(String what, String todo) implements FileText {}
    }

    static FileText readText(Path path, String shown) {
        try {
            if (Files.isDirectory(path)) {
                return new FileText.Missing("'%s' is a folder".formatted(shown), "name a file");
            }
            if (Files.size(path) > MAX_FILE_BYTES) {
                return new FileText.Missing("'%s' is larger than 1 MiB".formatted(shown), "make it smaller");
            }
            return new FileText.Found(Files.readString(path));
        } catch (NoSuchFileException missing) {
            return new FileText.Missing("the file '%s' does not exist".formatted(shown), "check its name and folder");
        } catch (CharacterCodingException notUtf8) {
            return new FileText.Missing("the file '%s' is not UTF-8".formatted(shown), "save it as UTF-8");
        } catch (IOException unreadable) {
            return new FileText.Missing("the file '%s' cannot be read".formatted(shown), "check its rights");
        }
    }
}
