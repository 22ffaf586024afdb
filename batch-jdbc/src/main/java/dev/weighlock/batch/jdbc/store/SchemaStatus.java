package dev.weighlock.batch.jdbc.store;

/** Where the tables of a repository stand, seen from this program. */
public sealed interface SchemaStatus {
    /** No table of a repository is there. */
    record Uninitialised(int needed) implements SchemaStatus {
        @Override
        public int version() {
            return 0;
        }

        @Override
        public String word() {
            return "uninitialised";
        }

        @Override
        public String text() {
            return "no tables yet: 'wl schema migrate' makes them, run once as a role that may";
        }
    }

    /** An older program's tables. */
    record Older(int version, int needed) implements SchemaStatus {
        @Override
        public String word() {
            return "older";
        }

        @Override
        public String text() {
            return "schema version " + version + ", older than this program's " + needed
                    + ": 'wl schema migrate' brings it forward, run as the role that owns the tables";
        }
    }

    /** This program's tables. */
    record Current(int version) implements SchemaStatus {
        @Override
        public int needed() {
            return version;
        }

        @Override
        public String word() {
            return "current";
        }

        @Override
        public String text() {
            return "schema version " + version + ", current";
        }
    }

    /** A newer program's tables: this program leaves them alone. */
    record Newer(int version, int needed) implements SchemaStatus {
        @Override
        public String word() {
            return "newer";
        }

        @Override
        public String text() {
            return "schema version " + version + ", newer than this program's " + needed + ": use the newer program";
        }
    }

    /** Tables by the name of a version that another script made. */
    record Changed(int version, int needed) implements SchemaStatus {
        @Override
        public String word() {
            return "changed";
        }

        @Override
        public String text() {
            return "schema version " + version + " was made by another script than this program's: use the program that"
                    + " made it";
        }
    }

    /** What is there; 0 without tables. */
    int version();

    /** What this program reads and writes. */
    int needed();

    /** For programs. */
    String word();

    /** For people: what is so, and what to do. */
    String text();
}
