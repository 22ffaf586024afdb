package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.testing.TestDevices;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

class LedgerModelTest {
    private static final int OPERATIONS = 1_000_000;
    private static final long SEED = 20261204;

    @Test
    void randomOperations_keepTheLedgerEqualToItsModelAfterEveryStep(TestReporter reporter) {
        operations(Long.getLong("weighlock.seed", SEED), reporter);
    }

    @Tag("long")
    @Test
    void freshOperations_keepTheLedgerEqualToItsModelAfterEveryStep(TestReporter reporter) {
        operations(System.nanoTime(), reporter);
    }

    private static void operations(long seed, TestReporter reporter) {
        reporter.publishEntry("seed", Long.toString(seed));
        Random random = new Random(seed);
        long done = 0;
        while (done < OPERATIONS) {
            long inEpisode = LedgerModelRun.episode(seed, random);
            assertThat(inEpisode).as("seed %d", seed).isPositive();
            done += inEpisode;
        }
    }

    @Test
    void walk_overALedgerThatGivesNothingBack_isCaught() {
        LedgerWalk walk = new LedgerWalk(new Random(1), _ -> {}); // planted: no close reaches the ledger
        String operation = "";
        for (int step = 0; step < 1_000 && walk.difference() == null; step++) {
            operation = walk.step();
        }

        assertThat(operation).isEqualTo("close a handle");
        assertThat(walk.difference()).contains("sequence is", "active is", "live is");
    }

    @Test
    void balance_overAnEntryChangedBehindTheSums_isCaught() {
        DeviceLedger ledger = TestDevices.ledger(host(0, 100, 4), () -> 0);
        Grant grant = ledger.tryAdmit(request(10)).orElseThrow();
        assertThat(ledger.books().balanced()).isTrue();

        grant.root().entry().residentOwnerBytes = 5; // planted: a charge that no sum knows
        assertThat(ledger.books().balanced()).isFalse();
        grant.root().entry().residentOwnerBytes = 0;
        ledger.books().freezeForeignBytes(1);
        assertThat(ledger.books().balanced()).isFalse();
        ledger.books().freezeForeignBytes(-1);
        grant.close();
    }

    @Test
    void balance_overANegativeCharge_isCaught() {
        DeviceLedger ledger = TestDevices.ledger(host(0, 100, 4), () -> 0);
        Grant owner = ledger.tryAdmit(request(10)).orElseThrow();
        GrantEntry entry = owner.root().entry();

        ledger.books().setResidentOwnerBytes(entry, -5); // planted, sums and all
        assertThat(ledger.books().balanced()).isFalse();
        ledger.books().setResidentOwnerBytes(entry, 0);
        assertThat(ledger.books().balanced()).isTrue();

        ledger.books().freeze(entry, -5);
        assertThat(ledger.books().balanced()).isFalse();
        owner.close();
    }
}
