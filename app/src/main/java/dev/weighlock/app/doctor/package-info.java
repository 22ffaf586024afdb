/** What wl needs from the machine it runs on, looked at one by one. */
@NullMarked
package dev.weighlock.app.doctor;

import org.jspecify.annotations.NullMarked;
