package dev.weighlock.app.command;

import picocli.CommandLine.Option;

/** Whether jobs may run programs. */
final class ShellOption {
    @Option(names = "--allow-shell", description = "Lets the job's shell steps run their programs.")
    boolean allowed;
}
