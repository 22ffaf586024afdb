-- The repository on PostgreSQL. All instants are the database's; "active" means ended_at IS NULL. JSON is kept as text:
-- jsonb would change numbers and refuse a NUL character. Names compare byte for byte.

CREATE TABLE repository (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT statement_timestamp()
);

INSERT INTO repository DEFAULT VALUES;

-- A process that runs jobs. It is dead when it said so by ended_at, or when its lease is over; to a process that uses the
-- very same place (boot of the machine, device and inode of the folder of lock_file) also when that lock is free.
CREATE TABLE node (
    id text COLLATE "C" PRIMARY KEY,
    host text NOT NULL,
    pid bigint NOT NULL,
    place text,
    lock_file text,
    registered_at timestamptz NOT NULL DEFAULT statement_timestamp(),
    heartbeat_at timestamptz NOT NULL DEFAULT statement_timestamp(),
    lease interval NOT NULL DEFAULT interval '30 seconds' CHECK (lease > interval '0'),
    clock_skew interval,
    ended_at timestamptz
);

CREATE INDEX node_open ON node (heartbeat_at) WHERE ended_at IS NULL;

-- The server processes of a node's connections: a take-over ends them first, for a paused transaction holds row locks
-- and could still commit. Told apart by number and start, since numbers come again.
CREATE TABLE node_backend (
    node_id text COLLATE "C" NOT NULL REFERENCES node ON DELETE CASCADE,
    backend_pid integer NOT NULL,
    backend_start timestamptz NOT NULL,
    PRIMARY KEY (node_id, backend_pid, backend_start)
);

-- Jobs written in Java, by the nodes that can run them.
CREATE TABLE node_job (
    node_id text COLLATE "C" NOT NULL REFERENCES node ON DELETE CASCADE,
    job_name text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    PRIMARY KEY (node_id, job_name)
);

CREATE TABLE definition (
    digest text COLLATE "C" PRIMARY KEY,
    job_name text COLLATE "C" NOT NULL,
    format text NOT NULL,
    content text NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT statement_timestamp()
);

-- Counts are kept, so that a list of jobs costs the same at any history.
CREATE TABLE job (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    instances bigint NOT NULL DEFAULT 0,
    executions bigint NOT NULL DEFAULT 0,
    last_execution_id bigint NOT NULL DEFAULT 0
);

CREATE INDEX job_newest ON job (last_execution_id);

CREATE TABLE job_instance (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id bigint NOT NULL REFERENCES job,
    identity text COLLATE "C" NOT NULL,
    -- Its removal began: it is launched no more, and finished by the next purge.
    purging boolean NOT NULL DEFAULT false,
    UNIQUE (job_id, identity)
);

CREATE INDEX job_instance_newest ON job_instance (job_id, id);
CREATE INDEX job_instance_purging ON job_instance (id) WHERE purging;

CREATE TABLE job_execution (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id bigint NOT NULL REFERENCES job,
    instance_id bigint NOT NULL REFERENCES job_instance,
    attempt integer NOT NULL CHECK (attempt > 0),
    parameters text NOT NULL,
    definition_digest text COLLATE "C" NOT NULL REFERENCES definition,
    fingerprint text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (status IN
        ('STARTING', 'STARTED', 'STOPPING', 'STOPPED', 'FAILED', 'UNKNOWN', 'COMPLETED', 'ABANDONED')),
    exit_code text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    epoch bigint NOT NULL,
    owner_node text COLLATE "C" NOT NULL REFERENCES node,
    -- Tells a launcher whose answer was lost that this execution is the one it made.
    launch_key uuid NOT NULL,
    context text NOT NULL,
    stop_actor text,
    stop_requested_at timestamptz,
    stop_seen_at timestamptz,
    last_commit_at timestamptz,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    ended_at timestamptz,
    failure_category text COLLATE "C",
    failure_id text,
    diagnostics text,
    UNIQUE (instance_id, attempt),
    CHECK ((ended_at IS NULL) = (status IN ('STARTING', 'STARTED', 'STOPPING'))),
    CHECK (status <> 'FAILED' OR failure_category IS NOT NULL),
    CHECK ((stop_requested_at IS NULL) = (stop_actor IS NULL))
);

-- The newest of a job first: (job_id, id) serves the foreign key and the listing.
CREATE INDEX job_execution_job ON job_execution (job_id, id);
CREATE INDEX job_execution_definition ON job_execution (definition_digest);
CREATE INDEX job_execution_owner ON job_execution (owner_node);
CREATE UNIQUE INDEX job_execution_one_active ON job_execution (instance_id) WHERE ended_at IS NULL;
CREATE INDEX job_execution_active ON job_execution (owner_node) WHERE ended_at IS NULL;
CREATE INDEX job_execution_active_of_job ON job_execution (job_id) WHERE ended_at IS NULL;
CREATE INDEX job_execution_stopping ON job_execution (owner_node)
    WHERE ended_at IS NULL AND stop_requested_at IS NOT NULL;
-- Retention looks for what ended long ago.
CREATE INDEX job_execution_ended ON job_execution (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE flow_decision (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    instance_id bigint NOT NULL REFERENCES job_instance,
    execution_id bigint NOT NULL REFERENCES job_execution,
    node text COLLATE "C" NOT NULL,
    exit_code text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    decided_at timestamptz NOT NULL,
    UNIQUE (execution_id, node)
);

CREATE INDEX flow_decision_instance ON flow_decision (instance_id, node, id);

CREATE TABLE step_execution (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    execution_id bigint NOT NULL REFERENCES job_execution,
    instance_id bigint NOT NULL REFERENCES job_instance,
    step_name text COLLATE "C" NOT NULL,
    attempt integer NOT NULL CHECK (attempt > 0),
    status text COLLATE "C" NOT NULL CHECK (status IN ('STARTED', 'STOPPED', 'FAILED', 'UNKNOWN', 'COMPLETED')),
    exit_code text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    epoch bigint NOT NULL,
    read_count bigint NOT NULL DEFAULT 0,
    process_count bigint NOT NULL DEFAULT 0,
    write_count bigint NOT NULL DEFAULT 0,
    filter_count bigint NOT NULL DEFAULT 0,
    read_skip_count bigint NOT NULL DEFAULT 0,
    process_skip_count bigint NOT NULL DEFAULT 0,
    write_skip_count bigint NOT NULL DEFAULT 0,
    commit_count bigint NOT NULL DEFAULT 0,
    rollback_count bigint NOT NULL DEFAULT 0,
    context text NOT NULL,
    partitioned boolean NOT NULL,
    stop_timing text COLLATE "C",
    started_at timestamptz NOT NULL,
    last_commit_at timestamptz,
    ended_at timestamptz,
    failure_category text COLLATE "C",
    failure_id text,
    diagnostics text,
    evidence text,
    UNIQUE (instance_id, step_name, attempt),
    CHECK ((ended_at IS NULL) = (status = 'STARTED')),
    CHECK (status <> 'FAILED' OR failure_category IS NOT NULL)
);

CREATE INDEX step_execution_job ON step_execution (execution_id);

CREATE TABLE partition_execution (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    step_execution_id bigint NOT NULL REFERENCES step_execution,
    ordinal integer NOT NULL,
    partition_key text COLLATE "C" NOT NULL,
    input text NOT NULL,
    context text NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (status IN
        ('PLANNED', 'STARTED', 'STOPPED', 'FAILED', 'UNKNOWN', 'COMPLETED')),
    exit_code text COLLATE "C" NOT NULL,
    claim bigint NOT NULL DEFAULT 0,
    read_count bigint NOT NULL DEFAULT 0,
    process_count bigint NOT NULL DEFAULT 0,
    write_count bigint NOT NULL DEFAULT 0,
    filter_count bigint NOT NULL DEFAULT 0,
    read_skip_count bigint NOT NULL DEFAULT 0,
    process_skip_count bigint NOT NULL DEFAULT 0,
    write_skip_count bigint NOT NULL DEFAULT 0,
    commit_count bigint NOT NULL DEFAULT 0,
    rollback_count bigint NOT NULL DEFAULT 0,
    carried_over boolean NOT NULL DEFAULT false,
    started_at timestamptz,
    last_commit_at timestamptz,
    ended_at timestamptz,
    failure_category text COLLATE "C",
    failure_id text,
    diagnostics text,
    evidence text,
    UNIQUE (step_execution_id, ordinal),
    UNIQUE (step_execution_id, partition_key),
    CHECK (status <> 'FAILED' OR failure_category IS NOT NULL)
);

CREATE INDEX partition_execution_planned ON partition_execution (step_execution_id, ordinal)
    WHERE status = 'PLANNED';

-- Who did what. An entry outlives what it speaks of, so it refers to nothing.
CREATE TABLE audit_entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    execution_id bigint,
    at timestamptz NOT NULL,
    action text COLLATE "C" NOT NULL,
    actor text NOT NULL,
    detail text NOT NULL,
    idempotency_key text COLLATE "C" UNIQUE
);

CREATE INDEX audit_entry_execution ON audit_entry (execution_id, id);

-- Keeps an instance from restarts and from retention.
CREATE TABLE hold (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    instance_id bigint NOT NULL REFERENCES job_instance,
    actor text NOT NULL,
    reason text NOT NULL,
    held_at timestamptz NOT NULL,
    released_at timestamptz,
    released_by text,
    CHECK ((released_at IS NULL) = (released_by IS NULL))
);

CREATE INDEX hold_instance ON hold (instance_id);
CREATE UNIQUE INDEX hold_one ON hold (instance_id) WHERE released_at IS NULL;

-- A launch that waits for a free slot of its job. Requests are taken in the order of their ids.
CREATE TABLE launch_request (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_name text COLLATE "C" NOT NULL,
    definition_digest text COLLATE "C" NOT NULL REFERENCES definition,
    fingerprint text COLLATE "C" NOT NULL,
    parameters text NOT NULL,
    identity text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (status IN ('WAITING', 'LAUNCHED', 'CANCELLED')),
    actor text NOT NULL,
    requested_at timestamptz NOT NULL,
    requested_by text COLLATE "C" NOT NULL REFERENCES node,
    execution_id bigint REFERENCES job_execution,
    ended_at timestamptz,
    outcome text,
    CHECK ((ended_at IS NULL) = (status = 'WAITING'))
);

CREATE INDEX launch_request_waiting ON launch_request (job_name, id) WHERE ended_at IS NULL;
CREATE INDEX launch_request_definition ON launch_request (definition_digest);
CREATE INDEX launch_request_requester ON launch_request (requested_by);
CREATE INDEX launch_request_execution ON launch_request (execution_id);
