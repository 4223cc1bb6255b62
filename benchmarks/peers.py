"""The peers in ``benchmarks.lexical``, each behind the operations of ``systems.System``, fed terms ready made."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.material import Asked, read_firsts, read_lines
from geekagent_tui.memory.profiles import LEXICAL

TOP = 5
K1, B = LEXICAL.scorer.k1, LEXICAL.scorer.b


class Unable(Exception):  # noqa: N818 - no error: it is an answer
    """A system has no such operation."""


class Tantivy:
    """The search library of Rust's world, written to by one thread."""

    def __init__(self, source: Path, files: Path, asked: Asked) -> None:
        import tantivy

        self._library: Any = tantivy
        self._lines, self._firsts = read_lines(source), read_firsts(source)
        self._asked, self._files = asked, files
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
        builder.add_unsigned_field("chunk", stored=True, indexed=True)
        self._schema: Any = builder.build()
        self._index: Any = tantivy.Index(self._schema, path=str(files))
        self._searcher: Any = None
        self._writer: Any = None

    def build(self) -> None:
        writer = self._index.writer(512_000_000, 1)
        for number, line in enumerate(self._lines):
            writer.add_document(self._document(line, number))
        writer.commit()
        writer.wait_merging_threads()
        self._look()

    def search(self, at: int) -> Any:
        return self._search(self._searcher, at)

    def _search(self, searcher: Any, at: int) -> Any:
        library, query = self._library, self._library.Query
        terms = [
            (library.Occur.Should, query.term_query(self._schema, "terms", term, index_option="freq"))
            for term in self._asked.queries[at]
        ]
        # Counting the matches would forbid it to skip chunks that can't be among the best.
        return searcher.search(query.boolean_query(terms), TOP, count=False).hits

    def numbers(self, found: Any) -> list[int]:
        return [self._searcher.doc(address)["chunk"][0] for _, address in found]

    def keep(self) -> None:
        """It is on disk already."""

    def warm(self, at: int) -> object:
        return self._search(self._library.Index.open(str(self._files)).searcher(), at)

    def add(self, at: int) -> None:
        for line in self._asked.added_lines[at]:
            self._writing().add_document(self._document(line, 1 << 32 | at))
        self._commit()

    def remove(self, at: int) -> None:
        entry = self._asked.removed[at]
        for number in range(self._firsts[entry], self._firsts[entry + 1]):
            # By query: deleting by term takes the number for a signed one, and deletes nothing.
            query = self._library.Query.term_query(self._schema, "chunk", number)
            self._writing().delete_documents_by_query(query)
        self._commit()

    def _document(self, line: str, number: int) -> Any:
        document = self._library.Document(terms=[line])
        document.add_unsigned("chunk", number)
        return document

    def _writing(self) -> Any:
        self._writer = self._writer or self._index.writer(64_000_000, 1)
        return self._writer

    def _commit(self) -> None:
        self._writer.commit()
        self._look()

    def _look(self) -> None:
        self._index.reload()
        self._searcher = self._index.searcher()

    def chunks(self) -> int:
        return int(self._searcher.num_docs)


class Bm25s:
    """Scores made in advance, in sparse arrays: nothing can be added, so a change is a build."""

    def __init__(self, source: Path, files: Path, asked: Asked) -> None:
        import bm25s

        self._library: Any = bm25s
        self._lines, self._asked, self._files = read_lines(source), asked, files

    def build(self) -> None:
        tokens = self._library.tokenize(
            self._lines, token_pattern=r"\S+", stopwords=[], lower=False, show_progress=False
        )
        self._retriever = self._library.BM25(method="lucene", k1=K1, b=B)
        self._retriever.index(tokens, show_progress=False)

    def search(self, at: int) -> Any:
        return self._search(self._retriever, at)

    def _search(self, retriever: Any, at: int) -> Any:
        return retriever.retrieve([self._asked.queries[at]], k=TOP, show_progress=False)

    def numbers(self, found: Any) -> list[int]:
        return [int(at) for at, score in zip(found[0][0], found[1][0], strict=True) if score > 0]

    def keep(self) -> None:
        self._retriever.save(str(self._files), show_progress=False)

    def warm(self, at: int) -> object:
        return self._search(self._library.BM25.load(str(self._files), show_progress=False), at)

    def add(self, at: int) -> None:
        raise Unable

    def remove(self, at: int) -> None:
        raise Unable

    def chunks(self) -> int:
        return len(self._lines)


class RankBm25:
    """Plain Python: every question looks at every chunk."""

    def __init__(self, source: Path, files: Path, asked: Asked) -> None:
        from rank_bm25 import BM25Okapi

        self._make: Any = BM25Okapi
        self._lines, self._asked = read_lines(source), asked

    def build(self) -> None:
        self._ranker = self._make([line.split(" ") for line in self._lines], k1=K1, b=B)

    def search(self, at: int) -> list[int]:
        scores = self._ranker.get_scores(self._asked.queries[at])
        found = np.argpartition(scores, -TOP)[-TOP:]
        return [int(number) for number in found if scores[number] > 0]

    def numbers(self, found: list[int]) -> list[int]:
        return found

    def keep(self) -> None:
        raise Unable

    def warm(self, at: int) -> object:
        raise Unable

    def add(self, at: int) -> None:
        raise Unable

    def remove(self, at: int) -> None:
        raise Unable

    def chunks(self) -> int:
        return len(self._lines)


class Fts5:
    """SQLite's own, without the texts. Its tokenizer splits at blanks only."""

    def __init__(self, source: Path, files: Path, asked: Asked) -> None:
        self._lines, self._firsts, self._asked = read_lines(source), read_firsts(source), asked
        self._path = files / "chunks.db"
        self._database = self._open()

    def build(self) -> None:
        self._database.execute(
            "CREATE VIRTUAL TABLE chunk USING fts5(terms, content='',"
            " tokenize=\"unicode61 remove_diacritics 0 categories 'L* N* Co M* P* S*'\")"
        )
        self._database.executemany("INSERT INTO chunk (rowid, terms) VALUES (?, ?)", enumerate(self._lines))
        self._database.execute("INSERT INTO chunk (chunk) VALUES ('optimize')")
        self._database.commit()

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path)
        database.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -500000;")
        return database

    def search(self, at: int) -> list[int]:
        return self._search(self._database, at)

    def _search(self, database: sqlite3.Connection, at: int) -> list[int]:
        wanted = " OR ".join(f'"{term}"' for term in self._asked.queries[at])
        rows = database.execute(
            "SELECT rowid FROM chunk WHERE chunk MATCH ? ORDER BY rank LIMIT ?", (wanted, TOP)
        )
        return [row[0] for row in rows]

    def numbers(self, found: list[int]) -> list[int]:
        return found

    def keep(self) -> None:
        """It is on disk already."""

    def warm(self, at: int) -> object:
        database = self._open()
        try:
            return self._search(database, at)
        finally:
            database.close()

    def add(self, at: int) -> None:
        rows = ((line,) for line in self._asked.added_lines[at])
        self._database.executemany("INSERT INTO chunk (terms) VALUES (?)", rows)
        self._database.commit()

    def remove(self, at: int) -> None:
        entry = self._asked.removed[at]
        numbers = range(self._firsts[entry], self._firsts[entry + 1])
        self._database.executemany(
            "INSERT INTO chunk (chunk, rowid, terms) VALUES ('delete', ?, ?)",
            ((number, self._lines[number]) for number in numbers),
        )
        self._database.commit()

    def chunks(self) -> int:
        return int(self._database.execute("SELECT count(*) FROM chunk_docsize").fetchone()[0])
