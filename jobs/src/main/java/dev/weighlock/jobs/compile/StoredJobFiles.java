package dev.weighlock.jobs.compile;

import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.launch.JobDefinitions;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.JobFileReader;
import dev.weighlock.jobs.file.JobSource;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Jobs from what was stored at launch: the job text, the SQL texts and the folder, and nothing from disk. */
public final class StoredJobFiles implements JobDefinitions {
    static final String FORMAT = "job-file/1";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final JobCompiler compiler;

    public StoredJobFiles(JobCompiler compiler) {
        this.compiler = compiler;
    }

    static String content(JobSource source) {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("name", source.shownName());
        content.put("folder", source.folder().toString());
        content.put("job", source.text());
        content.put("sql", source.sqlTexts());
        return JSON.writeValueAsString(content);
    }

    @Override
    public Optional<Job> find(StoredDefinition stored) {
        return file(stored).map(compiler::compile);
    }

    /** The job file that was stored; empty where the definition is of another kind, or of a newer grammar. */
    public static Optional<JobFile> file(StoredDefinition stored) {
        if (!stored.format().equals(FORMAT)) {
            return Optional.empty();
        }
        return source(stored.content()).flatMap(source -> switch (JobFileReader.fromStored(source)) {
            case JobFileReader.Read.Sound sound -> Optional.of(sound.file());
            case JobFileReader.Read.Refused _ -> Optional.empty();
        });
    }

    private static Optional<JobSource> source(String content) {
        try {
            JsonNode json = JSON.readTree(content);
            Map<String, String> sql = new TreeMap<>();
            json.path("sql")
                    .properties()
                    .forEach(entry -> sql.put(entry.getKey(), entry.getValue().asString()));
            return Optional.of(new JobSource(
                    json.path("name").asString(),
                    Path.of(json.path("folder").asString()),
                    json.path("job").asString(),
                    sql));
        } catch (JacksonException notOurs) {
            return Optional.empty();
        }
    }
}
