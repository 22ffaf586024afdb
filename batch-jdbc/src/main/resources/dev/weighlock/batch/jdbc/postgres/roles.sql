-- Roles of a Weighlock repository, each with the least rights. Run it as a superuser (psql -f) in the repository's
-- database: once before the first 'wl schema migrate', and again after every migration, for new tables.
--
--   weighlock_owner     owns the tables: migrates them and removes what retention no longer keeps
--   weighlock_worker    runs jobs. The nodes of a repository log in as ONE user of this role: a take-over ends the server
--                       processes of a dead node, which only the same user may (or a member of pg_signal_backend)
--   weighlock_operator  sees everything; may ask for stops, recover and abandon executions, hold them, cancel requests
--   weighlock_viewer    sees everything
--
-- A user for each, such as: CREATE ROLE etl LOGIN IN ROLE weighlock_worker;

DO $roles$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['weighlock_owner', 'weighlock_worker', 'weighlock_operator', 'weighlock_viewer'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', name);
        END IF;
    END LOOP;
END
$roles$;

CREATE SCHEMA IF NOT EXISTS weighlock AUTHORIZATION weighlock_owner;
REVOKE ALL ON SCHEMA weighlock FROM PUBLIC;
GRANT USAGE ON SCHEMA weighlock TO weighlock_worker, weighlock_operator, weighlock_viewer;
REVOKE ALL ON ALL TABLES IN SCHEMA weighlock FROM PUBLIC, weighlock_worker, weighlock_operator, weighlock_viewer;
GRANT SELECT ON ALL TABLES IN SCHEMA weighlock TO weighlock_worker, weighlock_operator, weighlock_viewer;

DO $rights$
BEGIN
    IF to_regclass('weighlock.job_execution') IS NULL THEN
        RAISE NOTICE 'there are no tables yet: run this again after wl schema migrate';
        RETURN;
    END IF;

    SET LOCAL search_path = weighlock;

    GRANT INSERT ON definition, job_instance, flow_decision, audit_entry TO weighlock_worker;
    GRANT INSERT, UPDATE ON node, job, job_execution, step_execution, partition_execution, launch_request
        TO weighlock_worker;
    GRANT INSERT, DELETE ON node_backend, node_job TO weighlock_worker;
    GRANT DELETE ON node TO weighlock_worker;

    GRANT INSERT ON audit_entry, hold TO weighlock_operator;
    GRANT UPDATE (released_at, released_by) ON hold TO weighlock_operator;
    GRANT UPDATE (status, ended_at, outcome) ON launch_request TO weighlock_operator;
    GRANT UPDATE (ended_at) ON node TO weighlock_operator;
    GRANT UPDATE (stop_requested_at, stop_actor, status, exit_code, version, epoch, ended_at, failure_category,
        failure_id, last_commit_at) ON job_execution TO weighlock_operator;
    GRANT UPDATE (status, exit_code, version, epoch, ended_at, failure_category, failure_id) ON step_execution
        TO weighlock_operator;
    GRANT UPDATE (status, exit_code, ended_at, failure_category, failure_id) ON partition_execution
        TO weighlock_operator;
END
$rights$;
