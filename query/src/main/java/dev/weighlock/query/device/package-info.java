/** Devices and their books: profiles, the ledger, grants, residents and cache charges. */
@NullMarked
package dev.weighlock.query.device;

import org.jspecify.annotations.NullMarked;
