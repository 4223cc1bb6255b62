"""Secrets in a text that is about to be kept: found by their shape, and masked.

Shapes with a prefix of their own follow what the services document and what gitleaks (MIT, config/gitleaks.toml) and
detect-secrets (Apache-2.0, plugins) look for. A named value (``password = …``, ``密码是…``) must look like one too:
placeholders, code and plain words stay, and so does any text that only talks about tokens.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from geekagent_tui.memory.outcomes import Masked

MASK = "[REDACTED:{kind}]"

_LOOKED_AT = 16_000
"""Code points: four times what an entry may have, and longer than any private key."""

_EDGE = r"(?<![A-Za-z0-9_-])"
_SHAPES: tuple[tuple[str, str], ...] = (
    (
        "private-key",
        r"-----BEGIN[ A-Z0-9]{0,60}PRIVATE KEY(?: BLOCK)?-----[\s\S]{16,}?"
        r"(?:-----END[ A-Z0-9]{0,60}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    ("aws-access-key", _EDGE + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Z0-9])"),
    ("github-token", _EDGE + r"(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})"),
    ("gitlab-token", _EDGE + r"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{20,}"),
    ("anthropic-key", _EDGE + r"sk-ant-[A-Za-z0-9_-]{20,}"),
    ("openai-key", _EDGE + r"sk-(?:proj-|svcacct-|admin-|or-v1-)?(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,}"),
    ("slack-token", _EDGE + r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    (
        "slack-webhook",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/+_-]{20,}",
    ),
    ("google-key", _EDGE + r"AIza[A-Za-z0-9_-]{35}"),
    ("google-oauth", _EDGE + r"(?:ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,})"),
    ("stripe-key", _EDGE + r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    ("npm-token", _EDGE + r"npm_[A-Za-z0-9]{36}"),
    ("pypi-token", _EDGE + r"pypi-AgE[A-Za-z0-9_-]{40,}"),
    ("huggingface-token", _EDGE + r"hf_[A-Za-z0-9]{30,}"),
    ("sendgrid-key", _EDGE + r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{30,}"),
    ("telegram-token", _EDGE + r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    ("digitalocean-token", _EDGE + r"do[opr]_v1_[a-f0-9]{64}"),
    ("aliyun-key", _EDGE + r"LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])"),
    ("tencent-key", _EDGE + r"AKID[A-Za-z0-9]{28,44}(?![A-Za-z0-9])"),
    ("age-key", _EDGE + r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    ("azure-key", r"(?:AccountKey|SharedAccessKey)=(?P<secret>[A-Za-z0-9+/]{40,}={0,2})"),
    ("jwt", _EDGE + r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    (
        "url-password",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,100}:(?P<secret>[^\s/\"'<>]{3,200})@(?=[^\s/@])",
    ),
    (
        "bearer-token",
        r"(?i:\b(?:bearer|authorization:\s*(?:token|basic)))\s+(?P<secret>[A-Za-z0-9+/_.=~-]{16,})",
    ),
)
_NAMED = re.compile(
    r"""(?P<name>(?i:(?<![A-Za-z0-9])[A-Za-z0-9_-]{0,40}?(?:password|passwd|passphrase|pwd|(?<=[_-])pass|secret|token|
        (?:api|access|secret|private|auth|account|encryption)[_\ -]?key|credential)(?![A-Za-z0-9_]))
        |密码|口令|密钥|令牌|私钥)
        (?P<quote>["']?)\s{0,3}(?:[:=：]{1,2}|=>|是|为|(?i:\bis\b))\s{0,3}
        (?:"(?P<double>[^"\n]{4,200})"|'(?P<single>[^'\n]{4,200})'|`(?P<tick>[^`\n]{4,200})`|
        [「『](?P<corner>[^」』\n]{4,200})[」』]|[“‘](?P<curly>[^”’\n]{4,200})[”’]|
        (?P<bare>[!-~]{6,200}))""",
    re.VERBOSE,
)
_VALUES = ("double", "single", "tick", "corner", "curly", "bare")
_PLACEHOLDER = re.compile(
    r"(?i)\$\{?\w|\{\{|^<.*>$|^\[|^\*+$|^x{3,}|\.{3}|example|placeholder|changeme|redacted|your[_-]|^none$|^null$|"
    r"environ|getenv|process\.env|\w\(|^[a-z_][\w.]*\[|^(?:str|int|bool|bytes|any|true|false|optional|string)\b"
)
_TRAILING = re.compile(r"[,.;:!?)\]}>\"'`]+$")
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _SHAPES)


def mask(text: str) -> tuple[str, tuple[Masked, ...]]:
    """``text`` with its secrets masked, and what was found where. A text without one comes back as it is; masking a
    masked text changes nothing."""
    findings = _findings(text)
    if not findings:
        return text, ()
    pieces: list[str] = []
    at = 0
    for found in findings:
        pieces += (text[at : found.start], MASK.format(kind=found.kind))
        at = found.end
    return "".join((*pieces, text[at:])), tuple(findings)


def mask_entry(content: str) -> tuple[str, tuple[Masked, ...]]:
    """``mask`` for what becomes an entry. Only so much of it is looked at as may be kept, and what a secret that begins
    there may be long: the rest, megabytes of it perhaps, is cut off anyway."""
    return mask(content.strip()[:_LOOKED_AT])


def _findings(text: str) -> list[Masked]:
    found: list[Masked] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            group = "secret" if "secret" in pattern.groupindex else 0
            start, end = match.span(group)
            if group and _PLACEHOLDER.search(match[group]):
                continue
            found.append(Masked(kind, start, end))
    # A shape says more than a name, and the longer first: a key inside a private key's block is not another one.
    found.sort(key=lambda each: each.start - each.end)
    apart: list[Masked] = []
    for each in (*found, *_named(text)):
        if all(each.end <= other.start or other.end <= each.start for other in apart):
            apart.append(each)
    return sorted(apart, key=lambda each: each.start)


def _named(text: str) -> list[Masked]:
    found = []
    at = 0
    while match := _NAMED.search(text, at):
        group = next(name for name in _VALUES if match[name] is not None)
        start, value = match.start(group), match[group]
        at = max(match.end("name"), match.start() + 1)
        if group == "bare":
            value = _TRAILING.sub("", value)
        name = match["name"].lower()
        password = bool(re.search("pass|pwd|密码|口令", name))
        if _telling(value, password):
            found.append(Masked("password" if password else "secret", start, start + len(value)))
            at = start + len(value)
    return found


def _telling(value: str, password: bool) -> bool:
    """Whether a named value looks like a secret. For passwords a mix of characters is enough; the rest are made by
    machines, so they are long and without order (Shannon 1948: bits a character; plain words have less than 3)."""
    if _PLACEHOLDER.search(value) or not value.isascii() or "[REDACTED:" in value:
        return False
    kinds = (str.isalpha, str.isdigit, lambda char: not char.isalnum() and char not in "_-./ ")
    mixed = sum(any(kind(char) for char in value) for kind in kinds) > 1
    if password:
        return len(value) >= 6 and " " not in value and (mixed or value.isdigit())
    return len(value) >= 12 and " " not in value and mixed and _bits(value) >= 3.0


def _bits(value: str) -> float:
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
