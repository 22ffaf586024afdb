/** The query runtime: attempts under memory grants, each ending in one sealed report. */
module dev.weighlock.query {
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires tools.jackson.core;
    requires transitive dev.weighlock.host;
    requires java.management;
    requires jdk.management;

    exports dev.weighlock.query;
    exports dev.weighlock.query.backend;
    exports dev.weighlock.query.engine;
    exports dev.weighlock.query.attempt;
    exports dev.weighlock.query.lifecycle;
    exports dev.weighlock.query.admission;
    exports dev.weighlock.query.device;
    exports dev.weighlock.query.observe;
    exports dev.weighlock.query.report;
    exports dev.weighlock.query.metric;
    exports dev.weighlock.query.testing;
}
