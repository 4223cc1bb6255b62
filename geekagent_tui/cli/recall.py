"""``geekagent recall`` and ``geekagent search``: what a sentence, or keywords, bring to mind, and why."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from geekagent_tui.agent.settings import AUTO, SettingsError, load_settings
from geekagent_tui.cli import exit_codes
from geekagent_tui.cli.console import Console
from geekagent_tui.memory.formatting import recall_text, search_text
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.profiles import AUTO_PROFILE, profile_named
from geekagent_tui.memory.types import Hit, Miss, Recall
from geekagent_tui.texts.cli import ZH


def run(options: argparse.Namespace, console: Console, environ: Mapping[str, str]) -> int:
    """Exit code 0 also without a hit; 4 when the memory file can't be read."""
    if options.top_k is not None and not 1 <= options.top_k <= 50:
        console.error(ZH.bad_top_k)
        return exit_codes.USAGE
    if options.memory is not None and not options.memory.exists():
        console.error(ZH.no_such_file.format(path=options.memory))
        return exit_codes.MEMORY
    try:
        path, profile, top_k = _where(options, environ)
    except SettingsError as error:
        console.error(str(error))
        return exit_codes.SETTINGS
    try:
        memory = Memory(path, profile=AUTO_PROFILE if profile == AUTO else profile)
    except ValueError as error:
        console.error(str(error))
        return exit_codes.USAGE
    if memory.problem is not None:
        console.error(str(memory.problem))
        return exit_codes.MEMORY
    searching = options.command == "search"
    find = memory.search if searching else memory.recall
    text_of = search_text if searching else recall_text
    if options.query == "-":
        for query in console.lines():
            console.json(as_json(find(query, top_k), text_of))
        return exit_codes.OK
    found = find(options.query, top_k)
    if options.json:
        console.json(as_json(found, text_of))
    else:
        console.print(explained(found, text_of(found)) if options.explain else text_of(found) or ZH.no_recall)
    return exit_codes.OK


def as_json(recall: Recall, text_of: Callable[[Recall], str]) -> dict[str, Any]:
    """One recall as plain data: entry and segment from 1, ``start`` and ``spans`` in code points. A profile that
    chooses says more: how the question was read, what stayed out, and why."""
    chooses = profile_named(recall.profile).rules is not None
    common = {
        "query": recall.query,
        "keywords": list(recall.keywords),
        "hits": [_hit(hit, chooses=chooses) for hit in recall.hits],
        "text": text_of(recall),
        "chunks": recall.chunks,
        "elapsed_ms": recall.elapsed_ms,
    }
    if not chooses:
        return common
    return {
        **common,
        "profile": recall.profile,
        "terms": [dataclasses.asdict(term) for term in recall.terms],
        "misses": [
            {**_hit(miss.hit, chooses=True), "rule": miss.rule, "other": miss.other} for miss in recall.misses
        ],
        "silence": recall.silence,
    }


_COMMON = ("entry", "segment", "start", "score", "text", "terms")


def _hit(hit: Hit, *, chooses: bool) -> dict[str, Any]:
    whole = dataclasses.asdict(hit)
    return whole if chooses else {name: whole[name] for name in _COMMON}


def explained(recall: Recall, text: str) -> str:
    """How the question was read, every hit with what each term contributed, and what stayed out, by which rule.

    ``text`` is what the model would see.
    """
    lines = []
    if recall.silence:
        lines.append(ZH.explain_silence)
    if recall.carried:
        lines.append(ZH.explain_carried.format(query=recall.carried))
    if recall.terms:
        asked = "  ".join(ZH.explain_asked.format(term=term.term, df=term.df) for term in recall.terms)
        lines.append(ZH.explain_terms.format(terms=asked))
    if not recall.hits:
        lines.append(text or ZH.no_recall)
    rules = profile_named(recall.profile).rules
    for rank, hit in enumerate(recall.hits, 1):
        lines.append(f"{rank}. {place(hit)}")
        lines.append(ZH.explain_head.format(score=hit.score, chunks=recall.chunks, elapsed=recall.elapsed_ms))
        if rules is not None:
            lines.append(
                ZH.explain_worth.format(
                    coverage=hit.coverage, worth=hit.worth, floor=rules.floor, rank=hit.rank
                )
            )
        for match in sorted(hit.terms, key=lambda match: -match.contribution):
            lines.append(ZH.explain_term.format(**dataclasses.asdict(match)))
        lines.append(ZH.explain_text.format(text=hit.text.strip()))
    if recall.misses:
        lines.append(ZH.explain_misses)
        lines.extend(_miss(miss) for miss in recall.misses)
    return "\n".join(lines)


def place(hit: Hit) -> str:
    """Where a hit stands in memory."""
    form = ZH.places if hit.last_segment else ZH.place
    return form.format(entry=hit.entry, segment=hit.segment, last=hit.last_segment)


def _miss(miss: Miss) -> str:
    rule = {
        "floor": ZH.rule_floor,
        "neighbour": ZH.rule_neighbour,
        "duplicate": ZH.rule_duplicate,
        "budget": ZH.rule_budget,
        "limit": ZH.rule_limit,
        "excluded": ZH.rule_excluded,
        "lowered": ZH.rule_lowered,
    }[miss.rule].format(other=miss.other)
    hit = miss.hit
    return ZH.explain_miss.format(
        place=place(hit), score=hit.score, coverage=hit.coverage, worth=hit.worth, rule=rule
    )


def _where(options: argparse.Namespace, environ: Mapping[str, str]) -> tuple[Path, str, int]:
    """The memory file, profile and number of hits to use. A named file needs no project around it."""
    if options.memory is not None:
        return options.memory, options.profile, options.top_k or 5
    from geekagent_tui.agent.project import Project
    from geekagent_tui.cli.start import surroundings

    around = surroundings(environ)
    project = Project.at(around.folder, environ)
    settings = load_settings(
        folder=around.folder, project_file=project.config, user_file=around.user_file, environ=environ
    )
    recall = settings.project.recall
    profile = options.profile if options.profile != AUTO else recall.profile
    return project.memory, profile, options.top_k or recall.top_k
