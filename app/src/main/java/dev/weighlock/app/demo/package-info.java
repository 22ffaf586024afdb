/** wl demo: TPC-H data, a job file over it, and the account of what ran. */
@NullMarked
package dev.weighlock.app.demo;

import org.jspecify.annotations.NullMarked;
