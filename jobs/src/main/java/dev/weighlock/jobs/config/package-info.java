/** The settings file weighlock.yaml: repository, connections, devices and pools. */
@NullMarked
package dev.weighlock.jobs.config;

import org.jspecify.annotations.NullMarked;
