@NullMarked
package dev.weighlock.app.prove.cancellation;

import org.jspecify.annotations.NullMarked;
