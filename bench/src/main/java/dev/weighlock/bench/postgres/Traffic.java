package dev.weighlock.bench.postgres;

/** What one unit of work costs the server: transactions by its own count, round trips as a proxy sees them. */
record Traffic(double commits, double roundTrips) {
    /** Work of so many units. */
    @FunctionalInterface
    interface Work {
        void run(Contender side, int units) throws Exception;
    }

    /** Runs much work and little work from a fresh start each; what a start costs cancels out. */
    static Traffic of(BenchServer server, Place place, Contender.Opening opening, int units, Work work)
            throws Exception {
        Traffic little = whole(server, place, opening, units, work);
        Traffic much = whole(server, place, opening, 3 * units, work);
        return new Traffic(
                (much.commits - little.commits) / (2.0 * units), (much.roundTrips - little.roundTrips) / (2.0 * units));
    }

    private static Traffic whole(BenchServer server, Place place, Contender.Opening opening, int units, Work work)
            throws Exception {
        try (CountingProxy proxy = CountingProxy.before(server.port())) {
            long before = server.commits(place);
            try (Contender side = opening.open(place.through(proxy.port()))) {
                work.run(side, units);
            }
            return new Traffic(server.commits(place) - before, proxy.trips());
        }
    }
}
