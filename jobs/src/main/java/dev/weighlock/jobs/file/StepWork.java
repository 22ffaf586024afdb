package dev.weighlock.jobs.file;

/** What a step does, as its kind's keys say. */
public sealed interface StepWork
        permits QueryKeys, SourceKeys, ChunkKeys, ShellKeys, JavaKeys, DecisionKeys, SplitKeys {}
