"""One turn's recall and request as rows: what went in, why, what stayed out, and what was sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.agent.tokens import estimate
from geekagent_tui.harmless import harmless
from geekagent_tui.memory.drawn import drawn_on
from geekagent_tui.memory.types import Hit, Recall
from geekagent_tui.texts.inspection import InspectionTexts
from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.panes.recall import rule_text
from geekagent_tui.ui.panes.rows import Row, row

_START = 60
"""Characters of a passage that name it in a list."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is inspected. ``requests`` as JSON text; ``heading`` the line above recalled text in the prompt; ``chosen``
    the place of the marked hit; ``today``: the same question asked of memory as it is now."""

    record: TurnRecord
    requests: tuple[str, ...]
    heading: str
    chosen: int = 0
    today: Recall | None = None


def inspection_rows(seen: Seen, texts: InspectionTexts, ui: UiTexts) -> list[Row]:
    """All of it, not wrapped yet. Takes a while for long requests: call it in a thread."""
    record, recall = seen.record, seen.record.recall
    rows: list[Row] = [*row(texts.title.format(text=start_of(record.text)), "head")]
    if recall is None:
        rows.extend(row(texts.never_begun if record.never_begun else texts.no_recall, "muted"))
    else:
        rows.extend(_summary(record, recall, texts))
        if seen.today is not None:
            rows.extend(_section(texts.today_heading, "today"))
            rows.extend(_difference(recall, seen.today, texts))
        rows.extend(_section(texts.injected_heading))
        rows.extend(row(record.injected, "memory") if record.injected else row(texts.injected_none, "muted"))
        if recall.hits:
            rows.extend(_section(texts.why_heading))
            rows.extend(_reasons(record, recall, seen.chosen, texts))
        if recall.misses:
            rows.extend(_section(texts.misses_heading))
            for miss in recall.misses:
                said = texts.miss.format(
                    entry=miss.hit.entry,
                    segment=miss.hit.segment,
                    score=f"{miss.hit.score:.2f}",
                    rule=rule_text(miss, ui),
                    start=start_of(miss.hit.text),
                )
                rows.extend(row(said, "muted"))
        rows.extend(_section(texts.terms_heading))
        rows.extend(_terms(recall, texts))
    if not seen.requests:
        rows.extend(_section(texts.request_none))
    for number, request in enumerate(seen.requests, 1):
        rows.extend(_section(texts.request_heading.format(round=number), f"request-{number}"))
        rows.extend(_request(request, f"{seen.heading}\n{record.injected}" if record.injected else ""))
    return rows


def pretty(request: str) -> str:
    """The request with line breaks: the same data, in the same order."""
    return json.dumps(json.loads(request), ensure_ascii=False, indent=2)


def start_of(text: str) -> str:
    line = " ".join(harmless(text).split())
    return line if len(line) <= _START else f"{line[: _START - 1]}…"


def _section(title: str, anchor: str = "") -> Iterator[Row]:
    yield from row()
    yield from row(title, "head", anchor)


def _summary(record: TurnRecord, recall: Recall, texts: InspectionTexts) -> Iterator[Row]:
    said = texts.summary.format(
        hits=len(recall.hits),
        characters=len(record.injected),
        tokens=estimate(record.injected),
        elapsed=f"{recall.elapsed_ms:.1f}",
        chunks=recall.chunks,
        profile=recall.profile,
    )
    yield from row(said, "muted")
    reasons = {
        "smalltalk": texts.silent_smalltalk,
        "off": texts.silent_off,
        "private": texts.silent_private,
    }
    if recall.silence in reasons:
        yield from row(texts.silent.format(reason=reasons[recall.silence]), "muted")
    if recall.renewed:
        yield from row(texts.renewed, "bad")


def _reasons(record: TurnRecord, recall: Recall, chosen: int, texts: InspectionTexts) -> Iterator[Row]:
    drawn = drawn_on(record.answer, record.text, [hit.text for hit in recall.hits])
    for at, hit in enumerate(recall.hits):
        form = texts.passage_joined if hit.last_segment else texts.passage
        head = form.format(
            mark="▶ " if at == chosen else "  ",
            rank=at + 1,
            entry=hit.entry,
            segment=hit.segment,
            last=hit.last_segment,
            score=f"{hit.score:.2f}",
        )
        if hit.coverage:
            head += texts.coverage.format(coverage=f"{hit.coverage:.0%}")
        head += (texts.pinned if hit.pinned else "") + (texts.cut if hit.cut else "")
        yield from row(head, "chosen" if at == chosen else "", f"hit-{at}")
        if record.answer:
            used = texts.drawn.format(count=drawn[at]) if drawn[at] else texts.not_drawn
            yield from row(f"    {used}", "good" if drawn[at] else "muted")
        for match in sorted(hit.terms, key=lambda match: -match.contribution):
            word = hit.word(match)
            same = word.casefold() == match.term.casefold()
            said = texts.term.format(
                term=word if same else texts.word.format(word=word, term=match.term),
                query=match.query_count,
                tf=match.tf,
                df=match.df,
                idf=f"{match.idf:.2f}",
                contribution=f"{match.contribution:.2f}",
            )
            yield from row(f"    {said}", "muted")


def _terms(recall: Recall, texts: InspectionTexts) -> Iterator[Row]:
    for term in recall.terms:
        said = texts.asked.format(
            term=term.term, count=term.count, df=term.df, idf=f"{term.idf:.2f}", factor=f"{term.factor:.2f}"
        )
        yield from row(f"  {said}", "muted")
    if not recall.terms:
        yield from row(texts.keywords.format(terms="  ".join(recall.keywords)) or texts.none, "muted")


def _difference(then: Recall, now: Recall, texts: InspectionTexts) -> Iterator[Row]:
    """By what passages say: numbers move when entries come and go."""
    before, after = {hit.text for hit in then.hits}, {hit.text for hit in now.hits}
    if [hit.text for hit in then.hits] == [hit.text for hit in now.hits]:
        yield from row(texts.today_same, "muted")
        return
    for hit in now.hits:
        new = hit.text not in before
        yield from row(_named(texts.today_new if new else texts.today_kept, hit), "good" if new else "muted")
    for hit in then.hits:
        if hit.text not in after:
            yield from row(_named(texts.today_gone, hit), "bad")


def _named(form: str, hit: Hit) -> str:
    return form.format(entry=hit.entry, segment=hit.segment, start=start_of(hit.text))


def _request(request: str, block: str) -> list[Row]:
    """The JSON, the memory block in it coloured."""
    written = json.dumps(block, ensure_ascii=False)[1:-1] if block else ""
    rows: list[Row] = []
    for line in pretty(request).split("\n"):
        at = line.find(written) if written else -1
        parts: Sequence[tuple[str, str]] = ((line, ""),)
        if at >= 0:
            end = at + len(written)
            parts = ((line[:at], ""), (written, "memory"), (line[end:], ""))
        rows.append(Row(tuple((harmless(text), style) for text, style in parts if text)))
    return rows
