/** Job files: parsing, validation and compilation into jobs. */
@NullMarked
package dev.weighlock.jobs;

import org.jspecify.annotations.NullMarked;
