package dev.weighlock.jobs.file;

import dev.weighlock.jobs.file.JobSource.FileText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The SQL files that a job names: read from disk once, or taken from what was stored at launch. */
final class SqlFiles {
    private final Path folder;
    private final Optional<Map<String, String>> stored;
    private final Map<String, String> used = new TreeMap<>();

    private SqlFiles(Path folder, Optional<Map<String, String>> stored) {
        this.folder = folder;
        this.stored = stored;
    }

    static SqlFiles onDisk(Path folder) {
        return new SqlFiles(folder, Optional.empty());
    }

    static SqlFiles stored(JobSource source) {
        return new SqlFiles(source.folder(), Optional.of(source.sqlTexts()));
    }

    FileText read(String name) {
        FileText text = stored.map(texts -> fromStore(texts, name)).orElseGet(() -> fromDisk(name));
        if (text instanceof FileText.Found found) {
            used.put(name, found.text());
        }
        return text;
    }

    /** The texts that were asked for and found, by the names the job uses. */
    Map<String, String> used() {
        return used;
    }

    private static FileText fromStore(Map<String, String> texts, String name) {
        String text = texts.get(name);
        return text == null
                ? new FileText.Missing("the file '%s' was not stored with the job".formatted(name), "run the job file")
                : new FileText.Found(text);
    }

    private FileText fromDisk(String name) {
        try {
            return JobSource.readText(folder.resolve(name), name);
        } catch (InvalidPathException invalid) {
            return new FileText.Missing("the file name cannot exist", "correct the name");
        }
    }
}
