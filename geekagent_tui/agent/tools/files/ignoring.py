"""Which files are listed: hidden ones and those that a ``.gitignore`` names are not, links are not walked."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_IGNORE_LIMIT = 256 * 1024
"""Bytes of a .gitignore that are read."""
MAX_SEEN = 200_000
"""Entries after which a walk ends: a home folder must not take minutes."""


@dataclass(frozen=True, slots=True)
class Found:
    """``path`` below the folder where the walk began; ``size`` in bytes, 0 for folders."""

    path: str
    folder: bool
    size: int


_Rules = tuple[tuple[str, GitIgnoreSpec], ...]


def walk(start: int, *, deep: bool = True, hidden: bool = False) -> Iterator[Found]:
    """All below the folder with descriptor ``start``, sorted by name, a folder before what is in it."""
    seen = [0]
    yield from _walk(start, "", (), deep, hidden, seen)


def _walk(
    folder: int, prefix: str, rules: _Rules, deep: bool, hidden: bool, seen: list[int]
) -> Iterator[Found]:
    rules = _with_rules_of(folder, prefix, rules)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        seen[0] += 1
        if seen[0] > MAX_SEEN:
            return
        if name == ".git" or (name.startswith(".") and not hidden):
            continue
        path = prefix + name
        try:
            about = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            continue
        is_folder = stat.S_ISDIR(about.st_mode)
        if _ignored(path + "/" * is_folder, rules):
            continue
        yield Found(path, is_folder, 0 if is_folder else about.st_size)
        if is_folder and deep:
            try:
                inner = os.open(name, _FOLDER, dir_fd=folder)
            except OSError:
                continue
            try:
                yield from _walk(inner, path + "/", rules, deep, hidden, seen)
            finally:
                os.close(inner)


def _with_rules_of(folder: int, prefix: str, rules: _Rules) -> _Rules:
    with suppress(OSError, ValueError):
        fd = os.open(".gitignore", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        with os.fdopen(fd, "rb") as file:
            lines = file.read(_IGNORE_LIMIT).decode("utf-8", "replace").splitlines()
        return (*rules, (prefix, GitIgnoreSpec.from_lines(lines)))
    return rules


def _ignored(path: str, rules: _Rules) -> bool:
    """The innermost file that says anything about a path decides."""
    for prefix, spec in reversed(rules):
        said = spec.check_file(path[len(prefix) :]).include
        if said is not None:
            return said
    return False
