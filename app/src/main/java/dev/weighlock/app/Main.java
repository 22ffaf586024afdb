package dev.weighlock.app;

/** The program behind {@code wl}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.out.println("wl");
    }
}
