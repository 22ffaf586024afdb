package dev.weighlock.jobs.file;

import dev.weighlock.jobs.sql.SqlTemplate;
import dev.weighlock.jobs.yaml.Position;

/**
 * An SQL text of a job and where it stands.
 *
 * @param file the job file or the SQL file, as the user knows it
 * @param textAt where the text begins in that file
 */
public record SqlSource(SqlTemplate template, String file, Position textAt) {
    /** The place of an index of the text. */
    public Position positionOf(int at) {
        return lineOf(template.lineOf(at));
    }

    /** The place of a line of the text, from 0. */
    public Position lineOf(int line) {
        return textAt.linesDown(line);
    }
}
