package dev.weighlock.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Figures of two sides that ran in turns, one pair after the other; prints the medians, and the ratio and the difference
 * pair by pair, as a line of a table and as JSON.
 */
public final class Comparison {
    private final String id;
    private final String what;
    private final String unit;
    private final String ours;
    private final String other;
    private final List<double[]> pairs = new ArrayList<>();

    /**
     * No pairs yet.
     *
     * @param what is measured, in {@code unit}, on the side {@code ours} beside the side {@code other}
     */
    public Comparison(String id, String what, String unit, String ours, String other) {
        this.id = id;
        this.what = what;
        this.unit = unit;
        this.ours = ours;
        this.other = other;
    }

    /** One figure of ours beside the one that was aimed at. */
    public static Comparison aimed(String id, String what, String unit, double figure, double target) {
        Comparison comparison = new Comparison(id, what, unit, "weighlock", "aimed at");
        comparison.add(figure, target);
        return comparison;
    }

    public void add(double our, double their) {
        pairs.add(new double[] {our, their});
    }

    double median() {
        return Sample.median(column(0));
    }

    private double[] column(int side) {
        return pairs.stream().mapToDouble(pair -> pair[side]).toArray();
    }

    private double[] ratios() {
        return pairs.stream().mapToDouble(pair -> pair[0] / pair[1]).toArray();
    }

    private double[] differences() {
        return pairs.stream().mapToDouble(pair -> pair[0] - pair[1]).toArray();
    }

    void print() {
        double ratio = Sample.median(ratios());
        System.out.printf(
                Locale.ROOT,
                "%-3s %-50s %-18s %10.3f   %-22s %10.3f %-4s  ratio %s  difference %.3f  (%d pairs)%n",
                id,
                what,
                ours,
                median(),
                other,
                Sample.median(column(1)),
                unit,
                Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.3f", ratio) : "-",
                Sample.median(differences()),
                pairs.size());
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"id\":\"%s\",\"what\":\"%s\",\"unit\":\"%s\",\"%s\":%s,\"%s\":%s,\"ratio\":%s,"
                        + "\"difference\":%s,\"ratios\":%s}",
                id,
                what,
                unit,
                ours,
                number(median()),
                other,
                number(Sample.median(column(1))),
                number(Sample.median(ratios())),
                number(Sample.median(differences())),
                list(ratios()));
    }

    /** JSON has no number for the ratio to nothing. */
    private static String number(double figure) {
        return Double.isFinite(figure) ? String.format(Locale.ROOT, "%.4f", figure) : "null";
    }

    /** At most so many figures as make one readable line. */
    private static String list(double[] figures) {
        return IntStream.range(0, Math.min(figures.length, 32))
                .mapToObj(i -> number(figures[i]))
                .toList()
                .toString();
    }

    /** Prints them all, then one line of JSON with what they ran on. */
    public static void print(List<Comparison> comparisons) {
        print("this JVM alone", comparisons);
    }

    /**
     * Prints them all, then one line of JSON with what they ran on.
     *
     * @param beside what else they ran on, such as a server and its version
     */
    public static void print(String beside, List<Comparison> comparisons) {
        System.out.println(Machine.now().text() + "; " + beside);
        comparisons.forEach(Comparison::print);
        System.out.println("{\"machine\":" + Machine.now().json() + ",\"beside\":\"" + beside + "\",\"figures\":["
                + String.join(",", comparisons.stream().map(Comparison::json).toList()) + "]}");
    }
}
