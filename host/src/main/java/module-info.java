/** Operating-system locks that prove a process on this host is alive. */
module dev.weighlock.host {
    requires static transitive org.jspecify;

    exports dev.weighlock.host;
}
