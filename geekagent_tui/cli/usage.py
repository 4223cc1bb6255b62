"""argparse in the user's language: its headings, and the one line it says when the usage is wrong."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

from geekagent_tui.cli import exit_codes
from geekagent_tui.cli.console import Console
from geekagent_tui.harmless import harmless
from geekagent_tui.texts.cli import ZH, CliTexts

_REASONS = (
    (r"the following arguments are required: (?P<names>.*)", "usage_required"),
    (r"unrecognized arguments: (?P<names>.*)", "usage_unknown"),
    (r"argument (?P<name>[^:]*): expected one argument", "usage_value"),
    (
        r"argument (?P<name>[^:]*): invalid choice: (?P<value>.*) \(choose from (?P<choices>.*)\)",
        "usage_choice",
    ),
    (r"argument (?P<name>[^:]*): invalid int value: (?P<value>.*)", "usage_number"),
    (r"argument (?P<name>[^:]*): ignored explicit argument (?P<value>.*)", "usage_no_value"),
    (r"ambiguous option: (?P<name>.*) could match (?P<choices>.*)", "usage_ambiguous"),
)
"""What argparse says → the text for it. What is not here stays as it is."""


def reason_of(message: str, texts: CliTexts = ZH) -> str:
    """What argparse says is wrong, in the catalogue's language."""
    for said, name in _REASONS:
        if found := re.fullmatch(said, message, re.DOTALL):
            return str(getattr(texts, name)).format(**found.groupdict())
    return message


def not_written(error: OSError, console: Console, texts: CliTexts = ZH) -> int:
    """Say that results did not get where they were to go. Returns the exit code."""
    from geekagent_tui.agent.settings import os_reason

    console.error(texts.not_written.format(reason=os_reason(error)))
    console.drop()
    return exit_codes.FAILED


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """With the catalogue's word for "usage"."""

    word = ZH.usage

    def add_usage(
        self, usage: str | None, actions: Iterable[argparse.Action], groups: Any, prefix: str | None = None
    ) -> None:
        super().add_usage(usage, actions, groups, self.word if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def __init__(self, *arguments: Any, texts: CliTexts = ZH, **options: Any) -> None:
        formatter = type("Formatter", (_Formatter,), {"word": texts.usage})
        super().__init__(*arguments, **{"formatter_class": formatter, **options, "add_help": False})
        self._texts = texts
        # No public way to name them.
        self._positionals.title = texts.usage_arguments
        self._optionals.title = texts.usage_options
        self.add_argument("-h", "--help", action="help", help=texts.help)

    def _print_message(self, message: str, file: Any = None) -> None:
        """argparse's own says nothing when help or version can't be written, and calls it a success."""
        stream = file or sys.stderr
        if not message or stream is None:
            return
        try:
            stream.write(message)
            stream.flush()
        except BrokenPipeError:
            Console(None, sys.stdout, sys.stderr).drop()
        except OSError as error:
            raise SystemExit(
                not_written(error, Console(None, sys.stdout, sys.stderr), self._texts)
            ) from error

    def error(self, message: str) -> NoReturn:
        reason = reason_of(message, self._texts)
        print(harmless(self._texts.bad_usage.format(reason=reason, command=self.prog)), file=sys.stderr)
        raise SystemExit(exit_codes.USAGE)
