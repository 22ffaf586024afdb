/** The batch runtime: jobs, flow graphs, chunks, partitions, stop and recovery. */
module dev.weighlock.batch {
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires org.slf4j;
    requires tools.jackson.core;
    requires dev.weighlock.host;

    exports dev.weighlock.batch;
    exports dev.weighlock.batch.chunk;
    exports dev.weighlock.batch.flow;
    exports dev.weighlock.batch.launch;
    exports dev.weighlock.batch.operate;
    exports dev.weighlock.batch.partition;
    exports dev.weighlock.batch.repository;
    exports dev.weighlock.batch.run;
    exports dev.weighlock.batch.shutdown;
    exports dev.weighlock.batch.step;
    exports dev.weighlock.batch.stop;
    exports dev.weighlock.batch.tasklet;
    exports dev.weighlock.batch.testing;
}
