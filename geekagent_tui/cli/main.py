"""The command line: parses, picks a subcommand, turns errors into one clear line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from geekagent_tui import __version__
from geekagent_tui.cli import exit_codes
from geekagent_tui.cli.console import Console
from geekagent_tui.cli.start import open_app
from geekagent_tui.cli.usage import Parser, not_written
from geekagent_tui.texts.cli import ZH, CliTexts

_COMMANDS = {
    "ask": "ask",
    "recall": "recall",
    "search": "recall",
    "memory": "memory",
    "doctor": "doctor",
    "eval": "eval",
}
"""Subcommand → module. A module is imported only when its command runs: ``--version`` must not pay for it."""


def parser(texts: CliTexts = ZH) -> argparse.ArgumentParser:
    """The whole grammar of the command line."""
    top = Parser(prog="geekagent", description=texts.about, epilog=texts.exit_codes, texts=texts)
    top.add_argument("--version", action="version", version=f"geekagent {__version__}", help=texts.version)
    top.add_argument("--continue", dest="resume", action="store_true", help=texts.resume)
    top.add_argument("--session", metavar="NAME", help=texts.session)
    commands = top.add_subparsers(dest="command", metavar="COMMAND")

    ask = commands.add_parser("ask", help=texts.ask, description=texts.ask, texts=texts)
    ask.add_argument("text", metavar="TEXT", help=texts.ask_text)
    ask.add_argument("--json", action="store_true", help=texts.json_lines)
    ask.add_argument("--session", metavar="NAME", dest="ask_session", help=texts.ask_session)
    ask.add_argument("--allow", metavar="TOOL", action="append", default=[], help=texts.ask_allow)

    for name, about in (("recall", texts.recall), ("search", texts.search)):
        find = commands.add_parser(name, help=about, description=about, texts=texts)
        find.add_argument("query", metavar="QUERY", help=texts.query)
        find.add_argument("--memory", metavar="FILE", type=Path, help=texts.memory_file)
        find.add_argument("--profile", metavar="NAME", default="auto", help=texts.profile)
        find.add_argument("--top-k", metavar="N", type=int, help=texts.top_k)
        find.add_argument("--explain", action="store_true", help=texts.explain)
        find.add_argument("--json", action="store_true", help=texts.json)

    memory = commands.add_parser("memory", help=texts.memory, description=texts.memory, texts=texts)
    # Also before the action, as with the other commands; the action's own must not undo that.
    memory.add_argument("--json", action="store_true", help=texts.json)
    actions = memory.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, about in (
        ("list", texts.memory_list),
        ("add", texts.memory_add),
        ("stats", texts.memory_stats),
    ):
        action = actions.add_parser(name, help=about, description=about, texts=texts)
        action.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=texts.json)
        if name == "add":
            action.add_argument("text", metavar="TEXT", help=texts.memory_add_text)

    measure = commands.add_parser(
        "eval", help=texts.eval, description=texts.eval, epilog=texts.eval_format, texts=texts
    )
    measure.add_argument("set", metavar="SET.json", nargs="?", type=Path, help=texts.eval_set)
    measure.add_argument("--profile", metavar="NAME", action="append", help=texts.eval_profile)
    measure.add_argument("--json", action="store_true", help=texts.json)

    doctor = commands.add_parser("doctor", help=texts.doctor, description=texts.doctor, texts=texts)
    doctor.add_argument("--json", action="store_true", help=texts.json)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``geekagent`` with ``arguments`` (the process's by default) and return its exit code."""
    console = Console(sys.stdin, sys.stdout, sys.stderr)
    options = parser().parse_args(arguments)
    if "" in (options.session, getattr(options, "ask_session", None)):
        console.error(ZH.empty_session)
        return exit_codes.USAGE
    try:
        Path.cwd()
    except OSError:
        console.error(ZH.no_folder)
        return exit_codes.SETTINGS
    try:
        if options.command is None:
            return open_app(os.environ, session=options.session, resume=options.resume)
        module = importlib.import_module(f"geekagent_tui.cli.{_COMMANDS[options.command]}")
        code: int = module.run(options, console, os.environ)
        try:
            console.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            return not_written(error, console)
        return code
    except KeyboardInterrupt:
        return exit_codes.INTERRUPTED
    except BrokenPipeError:
        console.drop()
        return exit_codes.OK
    except OSError as error:
        from geekagent_tui.agent.settings import os_reason

        place = f"{error.filename}：" if error.filename else ""
        console.error(ZH.system.format(place=place, reason=os_reason(error)))
        return exit_codes.FAILED
