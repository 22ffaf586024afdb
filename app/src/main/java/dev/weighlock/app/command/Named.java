package dev.weighlock.app.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An execution ({@code 7}) or a launch request ({@code r7}). */
sealed interface Named {
    record Execution(long id) implements Named {}

    record Request(long id) implements Named {}

    /** Reads either. */
    final class Converter implements ITypeConverter<Named> {
        @Override
        public Named convert(String text) {
            if (text.matches("[0-9]{1,18}")) {
                return new Execution(Long.parseLong(text));
            }
            if (text.matches("[rR][0-9]{1,18}")) {
                return new Request(Long.parseLong(text, 1, text.length(), 10));
            }
            throw new TypeConversionException(
                    "'" + text + "' is neither an execution's id such as 7 nor a launch request's such as r7");
        }
    }
}
