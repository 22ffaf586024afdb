@NullMarked
package dev.weighlock.app.wiring;

import org.jspecify.annotations.NullMarked;
