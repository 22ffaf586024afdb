package dev.weighlock.bench.postgres;

import dev.weighlock.bench.Comparison;
import java.util.ArrayList;
import java.util.List;

/** Lets sides do the same work in turns, each round begun by another side, and keeps what came of it. */
final class Turns {
    /** Rounds that do not count go on so long, and there is one at least: compilers need that long on every side. */
    private static final double WARM_SECONDS = 8;

    private final List<Comparison> figures = new ArrayList<>();
    private final BenchServer server;
    private final int pairs;

    Turns(BenchServer server, int pairs) {
        this.server = server;
        this.pairs = pairs;
    }

    /** A side that can be opened on its database. */
    record Entry(String name, Place place, Contender.Opening opening) {}

    /** What one turn of a side tells. */
    record Measure(String what, String unit) {}

    /** One turn: figures in the order of the measures. */
    @FunctionalInterface
    interface Turn {
        double[] take(Entry entry, Contender side) throws Exception;
    }

    List<Comparison> figures() {
        return List.copyOf(figures);
    }

    /** @param pool connections that each side may have */
    void compare(String id, List<Measure> measures, List<Entry> entries, int pool, Turn turn) throws Exception {
        List<Contender> sides = new ArrayList<>();
        List<List<double[]>> taken = new ArrayList<>();
        try {
            for (Entry entry : entries) {
                sides.add(entry.opening().open(entry.place().withPool(pool)));
            }
            long begun = System.nanoTime();
            int round = 0;
            do {
                round(entries, sides, turn, round++);
            } while (System.nanoTime() - begun < WARM_SECONDS * 1e9);
            for (int pair = 0; pair < pairs; pair++) {
                taken.add(round(entries, sides, turn, round++));
            }
        } finally {
            sides.forEach(Contender::close);
        }
        keep(id, measures, entries, taken);
    }

    private static List<double[]> round(List<Entry> entries, List<Contender> sides, Turn turn, int number)
            throws Exception {
        double[][] taken = new double[sides.size()][];
        for (int i = 0; i < sides.size(); i++) {
            int side = (i + number) % sides.size();
            taken[side] = turn.take(entries.get(side), sides.get(side));
        }
        return List.of(taken);
    }

    private void keep(String id, List<Measure> measures, List<Entry> entries, List<List<double[]>> taken) {
        for (int m = 0; m < measures.size(); m++) {
            for (int other = 1; other < entries.size(); other++) {
                Comparison comparison = comparison(id, measures.get(m), entries.getFirst(), entries.get(other));
                for (List<double[]> round : taken) {
                    comparison.add(round.getFirst()[m], round.get(other)[m]);
                }
            }
        }
    }

    /** A line of the table that the caller fills. */
    Comparison comparison(String id, Measure measure, Entry one, Entry other) {
        Comparison comparison = new Comparison(id, measure.what(), measure.unit(), one.name(), other.name());
        figures.add(comparison);
        return comparison;
    }

    /** A figure of ours alone beside the one that was aimed at. */
    void aim(String id, String what, String unit, double figure, double target) {
        figures.add(Comparison.aimed(id, what, unit, figure, target));
    }

    /** One figure beside another that is no side of a turn. */
    void beside(String id, String what, String unit, double figure, String other, double their) {
        Comparison comparison = new Comparison(id, what, unit, "weighlock", other);
        comparison.add(figure, their);
        figures.add(comparison);
    }

    /** Commits and round trips of one unit of work on each side. */
    void traffic(String id, String unit, List<Entry> entries, int units, Traffic.Work work) throws Exception {
        List<Measure> measures =
                List.of(new Measure("commits a " + unit, ""), new Measure("round trips a " + unit, ""));
        List<double[]> counted = new ArrayList<>();
        for (Entry entry : entries) {
            Traffic traffic = Traffic.of(server, entry.place(), entry.opening(), units, work);
            counted.add(new double[] {traffic.commits(), traffic.roundTrips()});
        }
        keep(id, measures, entries, List.of(counted));
    }
}
