/** The batch runtime: jobs, flow graphs, chunks, partitions, stop and recovery. */
module dev.weighlock.batch {
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires org.slf4j;
    requires tools.jackson.core;
    requires dev.weighlock.host;

    exports dev.weighlock.batch;
    exports dev.weighlock.batch.repository;
    exports dev.weighlock.batch.testing;
}
