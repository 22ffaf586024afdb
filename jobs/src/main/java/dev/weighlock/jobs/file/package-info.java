/** The grammar of job files, the records it is read into, and the rules that cross its parts. */
@NullMarked
package dev.weighlock.jobs.file;

import org.jspecify.annotations.NullMarked;
