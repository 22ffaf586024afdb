@NullMarked
package dev.weighlock.app.prove.crash;

import org.jspecify.annotations.NullMarked;
