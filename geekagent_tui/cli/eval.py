"""``geekagent eval``: how well recall does on a set of questions whose answers are known."""

from __future__ import annotations

import argparse
import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from geekagent_tui.agent.project import Project
from geekagent_tui.cli import exit_codes
from geekagent_tui.cli.console import Console
from geekagent_tui.cli.start import surroundings
from geekagent_tui.memory.evaluation import Quality, SetError, evaluate, load_set
from geekagent_tui.memory.profiles import AUTO_PROFILE, Profile, profile_named
from geekagent_tui.memory.types import Recall
from geekagent_tui.texts.cli import ZH

LIMIT = 5


def run(options: argparse.Namespace, console: Console, environ: Mapping[str, str]) -> int:
    """Exit code 2 for a set that can't be read or an unknown profile."""
    path: Path = options.set or Project.at(surroundings(environ).folder, environ).cases
    try:
        names = [AUTO_PROFILE if name == "auto" else name for name in options.profile or ["auto"]]
        profiles = [profile_named(name) for name in names]
        found = load_set(path)
    except FileNotFoundError:
        console.error((ZH.no_such_file if options.set else ZH.eval_no_cases).format(path=path))
        return exit_codes.USAGE
    except SetError as error:
        if error.place:
            console.error(ZH.eval_bad_field.format(path=error.path, place=error.place))
        else:
            console.error(ZH.eval_bad_set.format(path=error.path, reason=error.reason))
        return exit_codes.USAGE
    except ValueError as error:
        console.error(str(error))
        return exit_codes.USAGE
    if not options.json:
        console.print(ZH.eval_head.format(name=found.name, groups=len(found.groups)))
    for profile in profiles:
        quality = evaluate(found.groups, partial(asker, profile=profile))
        if options.json:
            console.json({"set": found.name, "profile": profile.name, **dataclasses.asdict(quality)})
        else:
            console.print(row(profile.name, quality))
    return exit_codes.OK


def asker(memories: Sequence[str], profile: Profile) -> Callable[[str], Recall]:
    """Recall from these entries as a turn does."""
    from geekagent_tui.memory.recall import Finder
    from geekagent_tui.memory.rules import BUDGET
    from geekagent_tui.memory.scorers import scorer_for

    # Places count: an empty entry keeps its number.
    entries = tuple(text.strip() for text in memories)
    scorer = scorer_for(profile)
    scorer.update(entries, should_stop=lambda: False)
    finder = Finder(scorer, profile, time.perf_counter)
    return lambda query: finder.recall(query, LIMIT, budget=BUDGET, previous="", entries=entries)


def row(name: str, quality: Quality) -> str:
    """One line of the table."""
    return ZH.eval_row.format(
        profile=name,
        questions=quality.questions,
        first=quality.hit_at_1,
        five=quality.hit_at_5,
        mrr=quality.mrr,
        injected=quality.injected,
        negatives=quality.negatives,
        noise=quality.noise,
        characters=quality.noise_characters,
        silent=quality.silent,
    )
