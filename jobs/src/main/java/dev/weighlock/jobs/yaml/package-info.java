/** YAML documents with the line of every key and value, and declared shapes that report all problems at once. */
@NullMarked
package dev.weighlock.jobs.yaml;

import org.jspecify.annotations.NullMarked;
