"""Files that survive: written whole or not at all, and still there after the power went."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700


class LockTimeoutError(Exception):
    """Another process held the lock for all of the time that we were willing to wait."""


class NotRegularError(OSError):
    """The path names something that is neither a file nor a folder, such as a pipe: reading could hang."""


def make_folder(folder: Path) -> None:
    """Create ``folder`` for its owner only, parents included. One that exists is left as it is."""
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)


def signature(path: Path) -> tuple[int, int, int, int] | None:
    """What changes when the file does: modification time and change time in ns, size, inode. None for no file."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def read(path: Path) -> bytes:
    """The content of a regular file. Raises ``OSError``; never waits on a pipe or a device."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise NotRegularError(errno.EINVAL, "not a regular file", str(path))
        return file.read()


def fingerprint(content: bytes) -> bytes:
    """What tells two contents of a file apart: their SHA-256."""
    import hashlib  # not at the top: it brings OpenSSL in

    return hashlib.sha256(content).digest()


def replace(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path`` so that at every moment the old or the new file is there, whole.

    When this returns, the new one is on the disk: temporary file in the same folder, fsync, rename, fsync of the
    folder. The file is its owner's only. Raises ``OSError``, with the old file still in place.
    """
    descriptor, name = tempfile.mkstemp(prefix=_temporary_prefix(path), suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(path.parent)


def sweep(path: Path) -> None:
    """Remove what a killed writer of ``path`` left behind. Call it under the lock only."""
    with contextlib.suppress(OSError):
        for stale in path.parent.glob(f"{_temporary_prefix(path)}*.tmp"):
            with contextlib.suppress(OSError):
                stale.unlink()


def sync_folder(folder: Path) -> None:
    """Make a rename in ``folder`` durable, where folders can be synced at all."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
            raise
    finally:
        os.close(descriptor)


@contextmanager
def lock(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock file ``path`` against other processes, waiting at most ``seconds`` for it.

    Raises ``LockTimeoutError`` or ``OSError``. The system lets go of the lock when its holder dies.
    """
    import filelock  # not at the top: not needed before the first write

    held = filelock.FileLock(path, timeout=seconds, mode=FILE_MODE)
    try:
        held.acquire(poll_interval=0.01)
    except filelock.Timeout as error:
        raise LockTimeoutError from error
    except NotImplementedError as error:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP), str(path)) from error
    try:
        yield
    finally:
        held.release()


def _temporary_prefix(path: Path) -> str:
    return f".{path.name}."
