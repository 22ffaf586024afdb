@NullMarked
package dev.weighlock.app.prove.soak;

import org.jspecify.annotations.NullMarked;
