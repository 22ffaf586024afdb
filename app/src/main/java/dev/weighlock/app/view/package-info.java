/** Executions and queries as text for people and as documented JSON. */
@NullMarked
package dev.weighlock.app.view;

import org.jspecify.annotations.NullMarked;
