package dev.weighlock.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
    @TempDir
    private Path shared;

    @Test
    void folder_isMadeForItsUserAlone_andFoundAgain() throws Exception {
        var folder = PrivateFolder.ofUser(shared);

        assertThat(folder.getParent()).isEqualTo(shared);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        assertThat(PrivateFolder.ofUser(shared)).isEqualTo(folder).isEmptyDirectory();
    }

    @Test
    void folderThatOthersMayWriteTo_isRefused() throws Exception {
        var folder = Files.createDirectory(shared.resolve("open"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatIOException().isThrownBy(() -> PrivateFolder.open(folder)).withMessageContaining("others may write");
    }

    @Test
    void linkInItsPlace_isRefused() throws Exception {
        var link = Files.createSymbolicLink(shared.resolve("link"), Files.createDirectory(shared.resolve("target")));

        assertThatIOException().isThrownBy(() -> PrivateFolder.open(link)).withMessageContaining("is no folder");
    }
}
