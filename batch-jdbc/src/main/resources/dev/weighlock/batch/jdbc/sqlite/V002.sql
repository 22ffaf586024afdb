-- Launches that wait for a slot, holds, retention; an audit that outlives what it speaks of.

ALTER TABLE job_instance ADD COLUMN purging INTEGER NOT NULL DEFAULT 0;

CREATE INDEX job_instance_purging ON job_instance (id) WHERE purging;
CREATE INDEX job_instance_newest ON job_instance (job_id);
CREATE INDEX job_execution_active_of_job ON job_execution (job_id) WHERE ended_at IS NULL;

CREATE TABLE hold (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    instance_id INTEGER NOT NULL REFERENCES job_instance,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    held_at INTEGER NOT NULL,
    released_at INTEGER,
    released_by TEXT,
    CHECK ((released_at IS NULL) = (released_by IS NULL))
) STRICT;

CREATE INDEX hold_instance ON hold (instance_id);
CREATE UNIQUE INDEX hold_one ON hold (instance_id) WHERE released_at IS NULL;

CREATE TABLE launch_request (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    job_name TEXT NOT NULL,
    definition_digest TEXT NOT NULL REFERENCES definition,
    fingerprint TEXT NOT NULL,
    parameters TEXT NOT NULL,
    identity TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('WAITING', 'LAUNCHED', 'CANCELLED')),
    actor TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    requested_by TEXT NOT NULL REFERENCES node,
    execution_id INTEGER REFERENCES job_execution,
    ended_at INTEGER,
    outcome TEXT,
    CHECK ((ended_at IS NULL) = (status = 'WAITING'))
) STRICT;

CREATE INDEX launch_request_waiting ON launch_request (job_name, id) WHERE ended_at IS NULL;
CREATE INDEX launch_request_definition ON launch_request (definition_digest);
CREATE INDEX launch_request_requester ON launch_request (requested_by);
CREATE INDEX launch_request_execution ON launch_request (execution_id);

DROP INDEX audit_entry_execution;
ALTER TABLE audit_entry RENAME TO audit_entry_before;

CREATE TABLE audit_entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    execution_id INTEGER,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    detail TEXT NOT NULL,
    idempotency_key TEXT UNIQUE
) STRICT;

INSERT INTO audit_entry (id, execution_id, at, action, actor, detail)
SELECT id, execution_id, at, action, actor, detail FROM audit_entry_before;

DROP TABLE audit_entry_before;

CREATE INDEX audit_entry_execution ON audit_entry (execution_id, id);
