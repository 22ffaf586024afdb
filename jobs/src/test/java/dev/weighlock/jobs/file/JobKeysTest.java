package dev.weighlock.jobs.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An accepted and a refused example for every key. */
class JobKeysTest {
    private static final String ONE_STEP = "steps: [{id: s, query: {sql: SELECT 1}}]";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "job: j",
                "job: j\nrevision: 2",
                "job: j\ndescription: text",
                "job: j\nparameters: {a: {type: long, default: 1}, b: {type: string, identifying: false}}",
                "job: j\nparameters: {a: {type: instant, default: now}, b: {type: date_time, default: now}}",
                "job: j\ndirectories: {read: [., ../data], write: [out]}",
                "job: j\ntime_zone: America/New_York",
                "job: j\nrecover: fail",
                "job: j\ncache: {lineitem: data/l.db, order: data/../o.db}",
                "job: j\ndirectories: {read: [../data]}\ncache: {lineitem: ../data/l.db}",
                "job: j\nflow: {s: COMPLETE}",
                "job: j\nflow: {s: {COMPLETED: COMPLETE, 'FAIL*': FAIL, '*': STOP}}",
            })
    void topLevel_key_isAccepted(String keys) {
        assertThat(JobText.problems(folder, keys + "\n" + ONE_STEP)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "revision: x                                | the job file has no 'job'",
                "job: [a]                                   | 'job' cannot be a list",
                "job:                                       | 'job' cannot be nothing",
                "job: {{j}                                  | not valid YAML",
                "job: j, revision: [1]                      | 'revision' cannot be a list",
                "job: j, description: {a: b}                | 'description' cannot be a map",
                "job: j, parameters: {a: {}}                | a parameter has no 'type'",
                "job: j, parameters: {a: {type: int}}       | 'type' cannot be the value 'int'; write one of string, long",
                "job: j, parameters: {a-b: {type: long}}    | 'a-b' is not allowed under 'parameters'",
                "job: j, parameters: {a: {type: long, default: x}}        | the default of parameter 'a' is no long",
                "job: j, parameters: {a: {type: date, zone: Mars}}        | 'zone' cannot be the value 'Mars'",
                "job: j, parameters: {a: {type: secret, default: x}}      | the default of parameter 'a' is no secret",
                "job: j, parameters: {a: {type: secret, identifying: true}} | a secret cannot be identifying",
                "job: j, parameters: {a: {type: long, identifying: maybe}}  | 'identifying' cannot be the value 'maybe'",
                "job: j, directories: {read: out}           | 'read' cannot be the value 'out'",
                "job: j, directories: {write: []}           | 'write' is empty",
                "job: j, time_zone: Mars                    | 'time_zone' cannot be the value 'Mars'",
                "job: j, recover: maybe                     | 'recover' cannot be the value 'maybe'",
                "job: j, max_concurrent: {runs: 0}          | 'runs' cannot be the value '0'",
                "job: j, max_concurrent: {runs: 1, otherwise: wait}  | 'otherwise' cannot be the value 'wait'",
                "job: j, on: {FAILED: {post: 'http://x'}}   | 'on' is not supported yet",
                "job: j, cache: [data/l.db]                 | 'cache' cannot be a list",
                "job: j, cache: {Line-item: data/l.db}      | 'Line-item' is not allowed under 'cache'",
                "job: j, cache: {lineitem: ../l.db}         | 1: the data set 'lineitem' lies outside the folders",
                "job: j, cache: {lineitem: 'l-{day}.db'}    | the path of the data set 'lineitem' holds a '{'",
                "job: j, cache: {a: l.db, b: ./l.db}        | the data sets 'a' and 'b' are one file",
                "job: j, flow: {s: {COMPLETED: t}}          | 't' in 'flow' is no target",
                "job: j, flow: [s]                          | 'flow' cannot be a list"
            })
    void topLevel_badKey_isRefused(String keys, String message) {
        assertThat(JobText.problems(folder, "{" + keys + ", " + ONE_STEP + "}"))
                .anySatisfy(line -> assertThat(line).contains(message));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "query: {sql: SELECT 1}",
                "query: {sql: 'SELECT :day'}",
                "query: {sql: SELECT 1, output: {parquet: a.parquet, compression: snappy}}",
                "query: {sql: SELECT 1, output: {csv: 'a-{day}.csv', header: false, delimiter: ';', quote: \"'\", compression: gzip}}",
                "query: {sql: SELECT 1, output: {jsonl: a.jsonl, compression: zstd}}",
                "query: {sql: SELECT 1, cap: 64MiB, pool: nightly, deadline: 10m, engine: duckdb, max_rows: 5}",
                "query: {sql: 'SELECT :partition, :partition_x'}, partition: {by: SELECT 1, workers: 2, on_failure: drain}",
                "query: {sql: SELECT 1, output: {csv: 'x/{partition.a}.csv'}}, partition: {keys: [a, b]}",
                "source: {connection: c, sql: SELECT 1, order_by: [a], output: {parquet: a.parquet}, fetch: 100, cap: 1GiB, pool: p, deadline: 1h}",
                "query: {sql: SELECT 1}, start_limit: 2, allow_start_if_complete: true",
                "chunk: {read: {csv: 'a*.csv', schema: {a: INT}, header: true, delimiter: ';', quote: \"'\", encoding: ISO-8859-1, compression: gzip, on_missing: skip}, write: {jdbc: {connection: c, table: t}}}",
                "chunk: {read: {csv: a, schema: {a: INT}}, write: {jdbc: {connection: c, table: t, mode: copy}}, size: 10, delivery: atomic, in_flight: rollback, read_ahead: false}",
                "chunk: {read: {csv: a, schema: {a: INT}}, write: {jdbc: {connection: c, table: t, mode: upsert, key: [a]}}, skip: {limit: 1, on: [read, write, process, a.B]}, retry: {limit: 2, on: [a.B]}}",
                "chunk: {read: {csv: a, schema: {a: INT}, on_missing: wait}, process: {where: 'a > 1 AND :day > 2', set: {b: a + 1}}, write: {jdbc: {connection: c, table: t}}}",
                "chunk: {read: {csv: a, schema: {a: INT}}, process: {class: a.B}, write: {jdbc: {connection: c, table: t}}}",
                "java: {class: a.B$C, with: {a: '{day}', b: '{key}', c: 'text {} {print}'}}, listeners: [a.L], partition: {class: a.P}",
            })
    void step_keys_areAccepted(String keys) {
        assertThat(JobText.problems(folder, JobText.withStep(keys))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "start_limit: 1                              | a step needs one of query, source, chunk",
                "query: {sql: SELECT 1}, source: {}          | a step has 'source' beside 'query'",
                "query: {}                                   | a query step needs one of sql, file",
                "query: {sql: SELECT 1, file: x.sql}         | a query step has 'file' beside 'sql'",
                "query: {sql: ''}                            | 'sql' cannot be the value ''",
                "query: {sql: SELECT ?}                      | '?' in SQL is not bound here",
                "query: {sql: SELECT $1}                     | '$1' in SQL is not bound here",
                "query: {sql: 'SELECT :key'}                 | ':key' is a secret",
                "query: {sql: 'SELECT :partition'}           | there is no partition",
                "query: {sql: SELECT 1, output: {csv: '{'}}  | '{' is not closed in the path",
                "query: {sql: SELECT 1, output: {csv: '{key}'}} | '{key}' is a secret",
                "query: {sql: SELECT 1, output: {csv: '{s.context.a}'}} | '{s.context.a}' names no earlier step",
                "query: {sql: SELECT 1, output: {csv: ../x}} | lies outside the folders that may be written",
                "query: {sql: SELECT 1, output: {csv: /x}}   | lies outside the folders that may be written",
                "query: {sql: SELECT 1, output: {}}          | 'output' needs one of parquet, csv, jsonl",
                "query: {sql: SELECT 1, output: {jsonl: a, header: true}}     | 'header' has a meaning for csv only",
                "query: {sql: SELECT 1, output: {csv: a, delimiter: ab}}      | 'delimiter' cannot be the value 'ab'",
                "query: {sql: SELECT 1, output: {csv: a, compression: snappy}} | snappy is for parquet only",
                "query: {sql: SELECT 1, output: {csv: a, compression: lz4}}   | 'compression' cannot be the value 'lz4'",
                "query: {sql: SELECT 1, cap: big}            | 'cap' cannot be the value 'big'",
                "query: {sql: SELECT 1, deadline: soon}      | 'deadline' cannot be the value 'soon'",
                "query: {sql: SELECT 1, max_rows: 0}         | 'max_rows' cannot be the value '0'",
                "query: {sql: SELECT 1, pool: ' p'}          | 'pool' cannot be the value 'p'",
                "query: {sql: SELECT 1}, partition: {}       | 'partition' needs one of by, keys, class",
                "query: {sql: SELECT 1}, partition: {keys: []}      | 'keys' is empty",
                "query: {sql: SELECT 1}, partition: {keys: [a, a]}  | 'keys' holds a key twice",
                "query: {sql: SELECT 1}, partition: {keys: [a], workers: 2000} | 'workers' cannot be the value '2000'",
                "query: {sql: SELECT 1}, partition: {keys: [a], on_failure: x} | 'on_failure' cannot be the value 'x'",
                "query: {sql: SELECT 1}, partition: {class: X-}     | 'class' cannot be the value 'X-'",
                "query: {sql: SELECT 1}, partition: {class: X, keys: [a]} | 'partition' has 'class' beside 'keys'",
                "query: {sql: SELECT 1, output: {csv: a}}, partition: {keys: [a]} | put {partition} into the path",
                "query: {sql: SELECT 1}, partition: {by: 'SELECT :partition'}     | there is no partition",
                "query: {sql: SELECT 1}, listeners: []       | 'listeners' is empty",
                "query: {sql: SELECT 1}, listeners: ['x y']  | 'listeners' cannot be the value 'x y'",
                "query: {sql: SELECT 1}, start_limit: none   | 'start_limit' cannot be the value 'none'",
                "query: {sql: SELECT 1}, allow_start_if_complete: 1 | 'allow_start_if_complete' cannot be the value '1'",
                "source: {sql: SELECT 1, output: {parquet: a}}      | a source step has no 'connection'",
                "source: {connection: c, sql: SELECT 1}             | a source step has no 'output'",
                "source: {connection: c, sql: SELECT 1, output: {csv: a}} | unknown key 'csv'",
                "source: {connection: c, sql: SELECT 1, output: {parquet: a}, order_by: []} | 'order_by' is empty",
                "source: {connection: c, sql: SELECT 1, output: {parquet: a}, fetch: 0}     | 'fetch' cannot be the value '0'",
                "shell: {}                                   | a shell step has no 'command'",
                "shell: {command: ls}                        | 'command' cannot be the value 'ls'",
                "shell: {command: ['{key}']}                 | '{key}' is a secret",
                "shell: {command: ['--day={day}']}           | '{day}' stands inside other text",
                "shell: {command: ['{none}']}                | '{none}' is no parameter of this job",
                "shell: {command: ['{partition}']}           | there is no partition",
                "shell: {command: [ls], env: {A: 'x{key}'}}  | '{key}' stands inside other text",
                "shell: {command: [ls], env: {A=B: x}}       | 'A=B' is not allowed under 'env'",
                "shell: {command: [ls], exit_codes: {256: X}} | '256' is not allowed under 'exit_codes'",
                "shell: {command: [ls], exit_codes: {3: STOPPED}} | no program can say that it was 'STOPPED'",
                "shell: {command: [ls]}, partition: {keys: [a]}   | cannot have 'partition'",
                "java: {}                                    | a java step has no 'class'",
                "java: {class: 'no class'}                   | 'class' cannot be the value 'no class'",
                "java: {class: a.B, with: {x: '{none}'}}     | '{none}' is no parameter of this job",
                "java: {class: a.B, with: [x]}               | 'with' cannot be a list",
                "decision: {}                                | a decision needs one of sql, class",
                "decision: {sql: SELECT 1, class: a.B}       | a decision has 'class' beside 'sql'",
                "decision: {sql: 'SELECT :nobody'}           | ':nobody' is no parameter of this job",
                "decision: {sql: SELECT 1}, start_limit: 2   | 's' does no work of its own",
                "split: {branches: [[a], [b]], join: c}      | names the unknown step 'a'",
                "split: {branches: [[s], [s]], join: s}      | stands in two branches",
                "split: {branches: [[s]], join: s}           | has one branch only",
                "split: {branches: [], join: c}              | 'branches' is empty",
                "split: {branches: [[a], [b]]}               | a split has no 'join'",
                "split: {branches: [[a], [b]], join: c, workers: 0}    | 'workers' cannot be the value '0'",
                "split: {branches: [[a], [b]], join: c, on_failure: x} | 'on_failure' cannot be the value 'x'"
            })
    void step_badKeys_areRefused(String keys, String message) {
        assertThat(JobText.problems(folder, JobText.withStep(keys)))
                .anySatisfy(line -> assertThat(line).startsWith("4: ").contains(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "write: {jdbc: {connection: c, table: t}}              | a chunk step has no 'read'",
                "read: {}, write: {jdbc: {connection: c, table: t}}    | 'read' needs one of csv, fixed",
                "read: {jsonl: a}, write: {csv: b}                     | 'jsonl' is not supported yet",
                "read: {fixed: a}, write: {csv: b}                     | 'fixed' is not supported yet",
                "read: {parquet: a}, write: {csv: b}                   | 'parquet' is not supported yet",
                "read: {sql: SELECT 1, key: [a]}, write: {csv: b}      | 'sql' is not supported yet",
                "read: {jdbc: {connection: c, sql: SELECT 1, key: [a]}}, write: {csv: b} | 'jdbc' is not supported yet",
                "read: {csv: a}, write: {csv: b}                       | 'csv' is not supported yet",
                "read: {csv: a}, write: {jsonl: b}                     | 'jsonl' is not supported yet",
                "read: {csv: a, schema: {x: NUMBER}}, WRITE            | the column 'x' has the unknown type 'NUMBER'",
                "read: {csv: a, schema: {x: {type: INT, width: 3}}}, WRITE | a column of csv has a type only",
                "read: {csv: a, encoding: klingon}, WRITE              | the encoding 'klingon' is not known",
                "read: {csv: a, compression: zstd}, WRITE              | reading this compression is not supported yet",
                "read: {csv: a, on_missing: hope}, WRITE               | 'on_missing' cannot be the value 'hope'",
                "read: {csv: a, quote: ''}, WRITE                      | 'quote' cannot be the value ''",
                "read: {csv: '{partition}'}, WRITE                     | there is no partition",
                "read: {csv: a}, write: {jdbc: {connection: c}}        | 'jdbc' has no 'table'",
                "read: {csv: a}, write: {jdbc: {table: t}}             | 'jdbc' has no 'connection'",
                "read: {csv: a}, write: {jdbc: {connection: c, table: t, mode: upsert}} | 'mode: upsert' needs a key",
                "read: {csv: a}, write: {jdbc: {connection: c, table: t, key: [a]}}     | 'key' has a meaning for 'mode: upsert' only",
                "read: {csv: a}, write: {jdbc: {connection: c, table: t, mode: merge}}  | 'mode' cannot be the value 'merge'",
                "read: {csv: a}, WRITE, process: {}                    | 'process' does nothing",
                "read: {csv: a}, WRITE, process: {where: x > 1}        | need a 'schema'",
                "read: {csv: a, schema: {x: INT}}, WRITE, process: {where: x > :none}     | ':none' is no parameter",
                "read: {csv: a, schema: {x: INT}}, WRITE, process: {set: {x: '?'}}        | '?' in SQL is not bound here",
                "read: {csv: a, schema: {x: INT}}, WRITE, process: {set: {x: 1}, class: A} | 'class' beside expressions",
                "read: {csv: a}, WRITE, size: 0                        | 'size' cannot be the value '0'",
                "read: {csv: a}, WRITE, delivery: maybe                | 'delivery' cannot be the value 'maybe'",
                "read: {csv: a}, WRITE, in_flight: drop                | 'in_flight' cannot be the value 'drop'",
                "read: {csv: a}, WRITE, read_ahead: 5                  | 'read_ahead' cannot be the value '5'",
                "read: {csv: a}, WRITE, retry: {}                      | 'retry' has no 'limit'",
                "read: {csv: a}, WRITE, retry: {limit: 1, on: ['a b']} | 'on' cannot be the value 'a b'",
                "read: {csv: a}, WRITE, retry: {limit: 1, backoff: {initial: 9s, max: 1s}} | 'max' is shorter than 'initial'",
                "read: {csv: a}, WRITE, retry: {limit: 1, backoff: {factor: 0}}  | 'factor' cannot be the value '0'",
                "read: {csv: a}, WRITE, retry: {limit: 1, backoff: {jitter: 2}}  | 'jitter' cannot be the value '2'",
                "read: {csv: a}, WRITE, skip: {limit: -1}              | 'limit' cannot be the value '-1'",
                "read: {csv: a}, WRITE, skip: {limit: 1, on: []}       | 'on' is empty"
            })
    void chunk_badKeys_areRefused(String keys, String message) {
        String chunk = keys.replace("WRITE", "write: {jdbc: {connection: c, table: t}}");

        assertThat(JobText.problems(folder, JobText.withStep("chunk: {" + chunk + "}")))
                .anySatisfy(line -> assertThat(line).startsWith("4: ").contains(message));
    }
}
