package dev.weighlock.jobs.file;

import dev.weighlock.jobs.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Job files for tests. */
final class JobText {
    /** A job that uses every part that is built. */
    static final String WHOLE = """
            job: revenue
            revision: "3"
            description: orders and revenue
            parameters:
              day:    {type: date, default: today, zone: Europe/Berlin}
              region: {type: string, default: EUROPE, identifying: false}
              key:    {type: secret, default: env:SHOP_KEY}
            directories: {read: [.], write: [out, work]}
            time_zone: Europe/Berlin
            recover: fail
            steps:
              - id: load
                start_limit: 3
                allow_start_if_complete: false
                chunk:
                  read:  {csv: "data/orders-*.csv", schema: {o_id: BIGINT, o_nation: VARCHAR, o_total: "DECIMAL(15,2)"}, on_missing: skip}
                  write: {jdbc: {connection: shop, table: orders, mode: upsert, key: [o_id]}}
                  size: 1000
                  skip:  {limit: 10, on: [read]}
                  retry: {limit: 3, backoff: {initial: 200ms, max: 5s, factor: 2, jitter: 0.5}}
              - id: orders
                source: {connection: shop, sql: "SELECT o_id, o_nation, o_total FROM orders", order_by: [o_id], output: {parquet: work/orders.parquet}}
              - id: revenue
                partition: {by: "SELECT DISTINCT o_nation FROM 'work/orders.parquet' ORDER BY 1", workers: 4}
                query:
                  sql: |
                    SELECT sum(o_total) AS revenue FROM 'work/orders.parquet' WHERE o_nation = :partition
                  output: {parquet: "out/revenue/{partition}.parquet"}
                  cap: 512MiB
                  deadline: 10m
              - id: report
                query: {file: report.sql, output: {csv: "out/report-{day}.csv"}}
            flow:
              revenue: {COMPLETED: report, FAILED: FAIL}
            """;

    private JobText() {}

    /** The smallest job around one step's keys. */
    static String withStep(String keys) {
        return "job: j\nparameters: {day: {type: date}, key: {type: secret}}\nsteps:\n  - {id: s, " + keys + "}\n";
    }

    /** Reads a text as the file {@code job.yaml} of a folder. */
    static JobFileReader.Read read(Path folder, String text) {
        try {
            Path file = folder.resolve("job.yaml");
            Files.writeString(file, text);
            return JobFileReader.fromDisk(file);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    static JobFile sound(Path folder, String text) {
        return switch (read(folder, text)) {
            case JobFileReader.Read.Sound sound -> sound.file();
            case JobFileReader.Read.Refused refused -> throw new AssertionError(refused.errors());
        };
    }

    /** Errors and warnings, each as {@code line: what; what to do}. */
    static List<String> problems(Path folder, String text) {
        JobFileReader.Read read = read(folder, text);
        List<Problem> errors = read instanceof JobFileReader.Read.Refused refused ? refused.errors() : List.of();
        return Stream.concat(errors.stream(), read.warnings().stream())
                .map(problem -> problem.line().replace(folder + "/", "").replaceFirst("^job.yaml:", ""))
                .toList();
    }
}
