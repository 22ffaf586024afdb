@NullMarked
package dev.weighlock.app.demo;

import org.jspecify.annotations.NullMarked;
