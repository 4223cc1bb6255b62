"""Files below one folder, opened so that nothing outside of it can be reached.

A path is walked component by component from a descriptor of the root, each opened relative to the one before and
without following links; a link is read and walked in turn. So the check and the use are one thing: whoever swaps a
folder for a link in between changes what is found, never where one may go.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MAX_FILE = 1_000_000
"""Bytes of a file that the tools read or write."""
_MAX_LINKS = 40
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class OutsideError(OSError):
    """The path leaves the root."""


class TooLargeError(OSError):
    """The file has more than ``MAX_FILE`` bytes."""


class NotAFileError(OSError):
    """A folder, pipe, device or socket where a file was asked for."""


class ChangedError(OSError):
    """The file is not as it was when the change was worked out."""


class Tree:
    """The files below ``root``. All methods block. Paths are relative to the root, or absolute and below it."""

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.abspath(root))  # noqa: PTH100 - without following links
        self._real = os.path.realpath(root)

    def parts(self, path: str) -> list[str]:
        """The components to walk. Raises ``OutsideError`` for an absolute path elsewhere."""
        if "\0" in path:
            raise OutsideError(errno.EINVAL, "NUL")
        if not path.startswith("/"):
            return [part for part in path.split("/") if part not in ("", ".")]
        for base in (str(self.root), self._real):
            if path == base or path.startswith(base.rstrip("/") + "/"):
                return [part for part in path[len(base) :].split("/") if part not in ("", ".")]
        raise OutsideError(errno.EXDEV, path)

    @contextmanager
    def folder(self, path: str = "") -> Iterator[int]:
        """A descriptor of a folder. Raises ``OSError``."""
        with self._walked(path, last_too=True) as (fd, name, _):
            if name:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            yield fd

    def read(self, path: str) -> bytes:
        """The bytes of a regular file. Raises ``OSError``, among them the classes above."""
        with self._walked(path) as (folder, name, _):
            return _read_at(folder, name)

    def shown(self, path: str) -> str:
        """The path below the root where ``path`` leads, links walked. It need not exist. Raises ``OSError``."""
        with self._walked(path, missing=True) as (_, name, walked):
            return "/".join((*walked, name)) if name else "/".join(walked) or "."

    def write(
        self, path: str, data: bytes | None, *, expect: bytes | None = None, check: bool = False
    ) -> None:
        """Replace a file in one step, its permission bits kept; None removes it. Missing folders are made. With
        ``check`` the file must still hold ``expect`` (None: must not exist). Raises ``OSError``."""
        if data is not None and len(data) > MAX_FILE:
            raise TooLargeError(errno.EFBIG, os.strerror(errno.EFBIG))
        with self._walked(path, create=data is not None) as (folder, name, _):
            if not name:
                raise NotAFileError(errno.EISDIR, os.strerror(errno.EISDIR))
            mode = None
            try:
                held: bytes | None = _read_at(folder, name)
                mode = stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
            except FileNotFoundError:
                held = None
            if check and held != expect:
                raise ChangedError(errno.ESTALE, os.strerror(errno.ESTALE))
            if data is None:
                if held is not None:
                    os.unlink(name, dir_fd=folder)
                return
            _replace_at(folder, name, data, mode)

    @contextmanager
    def _walked(
        self, path: str, *, last_too: bool = False, create: bool = False, missing: bool = False
    ) -> Iterator[tuple[int, str, tuple[str, ...]]]:
        """The folder in which ``path`` ends, the last name in it, and the names of the folders on the way. The name is
        "" when the path ends in a folder that ``last_too`` or the path itself (``.``, ``..``) opened."""
        todo = list(reversed(self.parts(path)))
        fds = [os.open(self._real, _FOLDER)]
        walked: list[str] = []
        links = 0
        try:
            while todo:
                name = todo.pop()
                if name == "..":
                    if not walked:
                        raise OutsideError(errno.EXDEV, path)
                    walked.pop()
                    os.close(fds.pop())
                    continue
                name = _as_on_disk(fds[-1], name)
                target = _link_at(fds[-1], name)
                if target is not None:
                    links += 1
                    if links > _MAX_LINKS:
                        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
                    if target.startswith("/"):
                        ahead = self.parts(target)
                        while walked:
                            walked.pop()
                            os.close(fds.pop())
                    else:
                        ahead = [part for part in target.split("/") if part not in ("", ".")]
                    todo.extend(reversed(ahead))
                    continue
                if not todo and not last_too:
                    yield fds[-1], name, tuple(walked)
                    return
                try:
                    fds.append(_opened(fds[-1], name, create=create))
                except FileNotFoundError:
                    if not missing or ".." in todo:
                        raise
                    yield fds[-1], "/".join((name, *reversed(todo))), tuple(walked)
                    return
                walked.append(name)
            yield fds[-1], "", tuple(walked)
        finally:
            for fd in fds:
                os.close(fd)


def _opened(folder: int, name: str, *, create: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not create:
            raise
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)
        return os.open(name, _FOLDER, dir_fd=folder)


def _link_at(folder: int, name: str) -> str | None:
    try:
        return os.readlink(name, dir_fd=folder)
    except OSError:
        return None


def _read_at(folder: int, name: str) -> bytes:
    if not name:
        raise NotAFileError(errno.EISDIR, os.strerror(errno.EISDIR))
    # Without waiting for the other end of a pipe.
    fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(fd, "rb") as file:
        about = os.fstat(fd)
        if not stat.S_ISREG(about.st_mode):
            raise NotAFileError(errno.EISDIR, os.strerror(errno.EISDIR))
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise TooLargeError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data


def _replace_at(folder: int, name: str, data: bytes, mode: int | None) -> None:
    temporary = f".geekagent-{secrets.token_hex(8)}.tmp"
    fd = os.open(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=folder
    )
    try:
        with os.fdopen(fd, "wb") as file:
            if mode is not None:
                os.fchmod(fd, mode)
            file.write(data)
            file.flush()
            os.fsync(fd)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def escaped(name: str) -> str:
    """A file name as text that a model can give back: bytes that are no UTF-8 and controls as ``\\xNN``."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(f"\\x{ord(char):02x}" if ord(char) < 0x20 or ord(char) == 0x7F else char for char in text)


def unescaped(name: str) -> str:
    """The name that ``escaped`` was given."""
    raw = bytearray()
    at = 0
    while at < len(name):
        if name.startswith("\\x", at) and len(digits := name[at + 2 : at + 4]) == 2:
            with suppress(ValueError):
                raw.append(int(digits, 16))
                at += 4
                continue
        raw += os.fsencode(name[at])
        at += 1
    return os.fsdecode(bytes(raw))


def _as_on_disk(folder: int, name: str) -> str:
    """``name``, or what it escapes when only that exists."""
    if "\\x" not in name:
        return name
    other = unescaped(name)
    for each in (name, other):
        try:
            os.stat(each, dir_fd=folder, follow_symlinks=False)
        except (OSError, ValueError):
            continue
        return each if "/" not in each and "\0" not in each and each not in ("", ".", "..") else name
    return name
