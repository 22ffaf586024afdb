-- Instants are microseconds since 1970, counts are items. Active means ended_at IS NULL.

CREATE TABLE repository (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE node (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    registered_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE definition (
    digest TEXT PRIMARY KEY,
    job_name TEXT NOT NULL,
    format TEXT NOT NULL,
    content TEXT NOT NULL,
    stored_at INTEGER NOT NULL
) STRICT;

-- Counts are kept, so that a list of jobs costs the same at any history.
CREATE TABLE job (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    instances INTEGER NOT NULL,
    executions INTEGER NOT NULL,
    last_execution_id INTEGER NOT NULL
) STRICT;

CREATE INDEX job_newest ON job (last_execution_id);

CREATE TABLE job_instance (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    job_id INTEGER NOT NULL REFERENCES job,
    identity TEXT NOT NULL,
    UNIQUE (job_id, identity)
) STRICT;

CREATE TABLE job_execution (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    job_id INTEGER NOT NULL REFERENCES job,
    instance_id INTEGER NOT NULL REFERENCES job_instance,
    attempt INTEGER NOT NULL,
    parameters TEXT NOT NULL,
    definition_digest TEXT NOT NULL REFERENCES definition,
    fingerprint TEXT NOT NULL,
    status TEXT NOT NULL,
    exit_code TEXT NOT NULL,
    version INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    owner_node TEXT NOT NULL REFERENCES node,
    context TEXT NOT NULL,
    stop_actor TEXT,
    stop_requested_at INTEGER,
    stop_seen_at INTEGER,
    last_commit_at INTEGER,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    failure_category TEXT,
    failure_id TEXT,
    diagnostics TEXT,
    UNIQUE (instance_id, attempt),
    CHECK ((ended_at IS NULL) = (status IN ('STARTING', 'STARTED', 'STOPPING'))),
    CHECK (status <> 'FAILED' OR failure_category IS NOT NULL)
) STRICT;

CREATE INDEX job_execution_job ON job_execution (job_id);
CREATE INDEX job_execution_definition ON job_execution (definition_digest);
CREATE INDEX job_execution_owner ON job_execution (owner_node);
CREATE UNIQUE INDEX job_execution_one_active ON job_execution (instance_id) WHERE ended_at IS NULL;
CREATE INDEX job_execution_active ON job_execution (owner_node) WHERE ended_at IS NULL;
CREATE INDEX job_execution_stopping ON job_execution (owner_node)
    WHERE ended_at IS NULL AND stop_requested_at IS NOT NULL;

CREATE TABLE flow_decision (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    instance_id INTEGER NOT NULL REFERENCES job_instance,
    execution_id INTEGER NOT NULL REFERENCES job_execution,
    node TEXT NOT NULL,
    exit_code TEXT NOT NULL,
    target TEXT NOT NULL,
    decided_at INTEGER NOT NULL,
    UNIQUE (execution_id, node)
) STRICT;

CREATE INDEX flow_decision_instance ON flow_decision (instance_id, node);

CREATE TABLE step_execution (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    execution_id INTEGER NOT NULL REFERENCES job_execution,
    instance_id INTEGER NOT NULL REFERENCES job_instance,
    step_name TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status TEXT NOT NULL,
    exit_code TEXT NOT NULL,
    version INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    read_count INTEGER NOT NULL DEFAULT 0,
    process_count INTEGER NOT NULL DEFAULT 0,
    write_count INTEGER NOT NULL DEFAULT 0,
    filter_count INTEGER NOT NULL DEFAULT 0,
    read_skip_count INTEGER NOT NULL DEFAULT 0,
    process_skip_count INTEGER NOT NULL DEFAULT 0,
    write_skip_count INTEGER NOT NULL DEFAULT 0,
    commit_count INTEGER NOT NULL DEFAULT 0,
    rollback_count INTEGER NOT NULL DEFAULT 0,
    context TEXT NOT NULL,
    partitioned INTEGER NOT NULL,
    stop_timing TEXT,
    started_at INTEGER NOT NULL,
    last_commit_at INTEGER,
    ended_at INTEGER,
    failure_category TEXT,
    failure_id TEXT,
    diagnostics TEXT,
    evidence TEXT,
    UNIQUE (instance_id, step_name, attempt),
    CHECK ((ended_at IS NULL) = (status = 'STARTED')),
    CHECK (status <> 'FAILED' OR failure_category IS NOT NULL)
) STRICT;

CREATE INDEX step_execution_job ON step_execution (execution_id);

CREATE TABLE partition_execution (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    step_execution_id INTEGER NOT NULL REFERENCES step_execution,
    ordinal INTEGER NOT NULL,
    partition_key TEXT NOT NULL,
    input TEXT NOT NULL,
    context TEXT NOT NULL,
    status TEXT NOT NULL,
    exit_code TEXT NOT NULL,
    claim INTEGER NOT NULL DEFAULT 0,
    read_count INTEGER NOT NULL DEFAULT 0,
    process_count INTEGER NOT NULL DEFAULT 0,
    write_count INTEGER NOT NULL DEFAULT 0,
    filter_count INTEGER NOT NULL DEFAULT 0,
    read_skip_count INTEGER NOT NULL DEFAULT 0,
    process_skip_count INTEGER NOT NULL DEFAULT 0,
    write_skip_count INTEGER NOT NULL DEFAULT 0,
    commit_count INTEGER NOT NULL DEFAULT 0,
    rollback_count INTEGER NOT NULL DEFAULT 0,
    carried_over INTEGER NOT NULL DEFAULT 0,
    started_at INTEGER,
    last_commit_at INTEGER,
    ended_at INTEGER,
    failure_category TEXT,
    failure_id TEXT,
    diagnostics TEXT,
    evidence TEXT,
    UNIQUE (step_execution_id, ordinal),
    UNIQUE (step_execution_id, partition_key),
    CHECK (status <> 'FAILED' OR failure_category IS NOT NULL)
) STRICT;

CREATE INDEX partition_execution_planned ON partition_execution (step_execution_id, ordinal)
    WHERE status = 'PLANNED';

CREATE TABLE audit_entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    execution_id INTEGER NOT NULL REFERENCES job_execution,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;

CREATE INDEX audit_entry_execution ON audit_entry (execution_id);
