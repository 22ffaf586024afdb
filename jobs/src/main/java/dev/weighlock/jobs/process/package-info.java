/** What happens to a chunk's items between reading and writing: SQL expressions, or a class of the user's. */
@NullMarked
package dev.weighlock.jobs.process;

import org.jspecify.annotations.NullMarked;
