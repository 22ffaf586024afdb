/** Admission: who gets a grant, on which device, when; who waits and why. */
@NullMarked
package dev.weighlock.query.admission;

import org.jspecify.annotations.NullMarked;
