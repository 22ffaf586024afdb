package dev.weighlock.duckdb;

import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the driver says of bad lines and files, in pages with every setting of its reader, said in a sentence: the place, what is
 * wrong there, and what to do. Other texts stay as they are.
 */
final class FileMessages {
    private static final Pattern BAD_VALUE = Pattern.compile("Could not convert string \"(.*)\" to '(.*)'");
    private static final Pattern CAST = Pattern.compile("(?s)failed to cast column .*?(?=\n|$)");
    private static final Pattern SNIFFING = Pattern.compile("Error when sniffing file \"([^\"]*)\"");

    private FileMessages() {}

    /**
     * @param text the driver's
     * @param place file, line and column, as far as the text names them
     */
    static String readable(String text, Facts place) {
        var line = place.value(FactKey.LINE);
        if (line.isPresent()) {
            var file = place.value(FactKey.FILE).orElse("a CSV file");
            return file + ", line " + line.get()
                    + place.value(FactKey.COLUMN).map(c -> ", column " + c).orElse("") + ": "
                    + badLine(text, file, place.value(FactKey.COLUMN).orElse("?"));
        }
        var sniffing = SNIFFING.matcher(text);
        if (sniffing.find()) {
            return sniffing.group(1)
                    + ": its delimiter, quotes and columns cannot be made out; declare them, for example"
                    + " read_csv('" + sniffing.group(1) + "', delim = ',', quote = '\"', header = true, columns = {…})";
        }
        var cast = CAST.matcher(text);
        return text.contains("reading multiple Parquet files") && cast.find()
                ? place.value(FactKey.PATH).orElse("a file") + ": "
                        + cast.group().replace(": :", ":")
                        + "; the first file decides the types: read the files with union_by_name = true, or cast the column"
                : text;
    }

    private static String badLine(String text, String file, String column) {
        var value = BAD_VALUE.matcher(text);
        if (value.find()) {
            return '"' + value.group(1) + "\" is no " + value.group(2)
                    + "; correct the line, or declare the type (else guessed from the first rows), for example read_csv('"
                    + file + "', types = {'" + column + "': 'VARCHAR'})";
        }
        var said = text.lines()
                .skip(1)
                .filter(line -> !line.startsWith("Original Line:"))
                .takeWhile(line -> !line.isBlank() && !line.startsWith("Possible "))
                .collect(Collectors.joining(" "));
        return said + "; correct the line, pad it with null_padding = true or skip it with ignore_errors = true";
    }
}
