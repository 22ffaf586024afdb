@NullMarked
package dev.weighlock.app.install;

import org.jspecify.annotations.NullMarked;
