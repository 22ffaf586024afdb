/** Makes a fresh build quick to start. */
@NullMarked
package dev.weighlock.app.install;

import org.jspecify.annotations.NullMarked;
