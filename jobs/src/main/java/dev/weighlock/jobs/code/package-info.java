/** Classes of the user's that job files name: found on the class path of the settings, made anew for each run. */
@NullMarked
package dev.weighlock.jobs.code;

import org.jspecify.annotations.NullMarked;
