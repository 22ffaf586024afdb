package dev.weighlock.app.command;

import picocli.CommandLine.IVersionProvider;

/** The version of the jar; of the classes themselves when they are not in one. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"wl " + (version == null ? "(from classes)" : version), "Java " + Runtime.version()};
    }
}
