from __future__ import annotations

import pytest

from geekagent_tui.memory.graphemes import cluster_start, is_boundary

CLUSTERS = [
    "a",
    "e\u0301",
    "\r\n",
    "👍🏽",
    "👨\u200d👩\u200d👧\u200d👦",
    "🏳\ufe0f\u200d🌈",
    "🇨🇳",
    "🇯🇵",
    "1\ufe0f\u20e3",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "\u1112\u1161\u11ab",
    "각\u11a8",
    "ท\u0e35\u0e48",
    "か\u3099",
    "ｶ\uff9e",
    "नि",
    "❤\ufe0f\u200d🔥",
    "压",
    "\ud800",
]


@pytest.mark.parametrize("cluster", CLUSTERS, ids=ascii)
def test_a_cluster_has_no_boundary_inside(cluster: str) -> None:
    text = f"x{cluster}y"
    inside = range(2, 1 + len(cluster))
    assert not any(is_boundary(text, at) for at in inside)
    assert is_boundary(text, 1)
    assert is_boundary(text, 1 + len(cluster))
    assert all(cluster_start(text, at) == 1 for at in inside)


def test_clusters_in_a_row_part_exactly_between_them() -> None:
    text = "".join(CLUSTERS)
    starts = [0]
    for cluster in CLUSTERS:
        starts.append(starts[-1] + len(cluster))
    assert [at for at in range(len(text) + 1) if is_boundary(text, at)] == starts


def test_flags_pair_from_the_floor() -> None:
    flags = "🇨🇳🇯🇵🇫🇷"
    assert [at for at in range(7) if is_boundary(flags, at)] == [0, 2, 4, 6]
    assert [at for at in range(2, 7) if is_boundary(flags, at, 2)] == [2, 4, 6]


def test_an_endless_cluster_is_cut_where_asked() -> None:
    assert cluster_start("a" + "\u0301" * 500, 320) == 320
