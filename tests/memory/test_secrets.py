"""Secrets are masked by their shape, and nothing that only talks about them is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.memory.ledger.types import USER
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.outcomes import Changed, Remembered
from geekagent_tui.memory.secrets import mask

# Put together here, so that no scanner takes this file for a leak.
A36 = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"
SECRETS = {
    "ghp_" + A36: "github-token",
    "github_pat_" + A36 + "_" + A36: "github-token",
    "glpat-" + A36[:20]: "gitlab-token",
    "AKIA" + "IOSFODNN7QWERTYU": "aws-access-key",
    "sk-" + A36 + "aaaa": "openai-key",
    "sk-proj-" + A36: "openai-key",
    "sk-ant-api03-" + A36: "anthropic-key",
    "xoxb-" + "123456789012-abcdefABCDEF": "slack-token",
    "AIza" + A36[:35]: "google-key",
    "sk_live_" + A36[:24]: "stripe-key",
    "npm_" + A36: "npm-token",
    "hf_" + A36[:34]: "huggingface-token",
    "SG." + A36[:22] + "." + A36 + "abcdefg": "sendgrid-key",
    "1234567890:AA" + A36[:33]: "telegram-token",
    "LTAI" + "5tAbCdEfGhIjKlMn": "aliyun-key",
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + A36: "jwt",
    "-----BEGIN RSA PRIVATE KEY-----\n" + A36 * 3 + "\n-----END RSA PRIVATE KEY-----": "private-key",
}
NAMED = (
    ("数据库密码是 Tr0ub4dor&3，别忘了", "Tr0ub4dor&3", "password"),
    ('password = "hunter2!x"', "hunter2!x", "password"),
    ("DB_PASSWORD=s3cr3t-pass", "s3cr3t-pass", "password"),
    ("登录口令：839201", "839201", "password"),
    ("api_key: 9f8e7d6c5b4a39281706", "9f8e7d6c5b4a39281706", "secret"),
    ('"client_secret": "q8Wz-3rTy_5uIo7pA"', "q8Wz-3rTy_5uIo7pA", "secret"),
    ("令牌为 q8Wz3rTy5uIo7pA9", "q8Wz3rTy5uIo7pA9", "secret"),
    ("postgres://app:p4ssw0rd!@db.internal:5432/app", "p4ssw0rd!", "url-password"),
    ("Authorization: Bearer " + A36, A36, "bearer-token"),
    ("密码是「Qwe12345!」", "Qwe12345!", "password"),
    ("数据库口令为“Zx9!kk22”", "Zx9!kk22", "password"),
    ("DB_PASS=hunter2222", "hunter2222", "password"),
    ("API key 是 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0", "secret"),
    ("postgres://u:p@ssw0rd@host/db", "p@ssw0rd", "url-password"),
    ("AccountKey=" + A36 + A36 + "==;Endpoint=x", A36 + A36 + "==", "azure-key"),
)
HARMLESS = (
    "MAX_HISTORY_CHARS 默认 4000 字符，每轮大约 1200 token",
    "max_tokens=4096，temperature=0.7",
    "token 的数量超过上限时压缩历史",
    "密码：至少 8 位，要有数字",
    "密码错误 3 次后锁定 10 分钟",
    "忘记密码是常见的支持请求",
    "token: str = Field(default_factory=str)",
    "password = getpass.getpass('password for admin01: ')",
    'api_key = os.environ["OPENAI_API_KEY_2"]',
    "export API_KEY=$OPENAI_API_KEY_2024",
    "api_key: <your-api-key-123456>",
    "password: ${DB_PASSWORD_1}",
    'secret = "changeme123456"',
    "token=request.headers['x-token-01']",
    "commit 3f2a9c81d7e64b5f9a0c1d2e3f4a5b6c7d8e9f01 修好了登录",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "会话 id 是 550e8400-e29b-41d4-a716-446655440000",
    "https://example.com:8443/path?x=1",
    "用 sk- 开头的是 OpenAI 的 key，ghp_ 开头的是 GitHub 的",
    "def tokenise(text: str) -> list[str]: ...",
    "密钥管理用 Vault，轮换周期是 90 天",
    "secret_name: prod-db-credentials-2024",
    "the password is stored in 1Password, ask Zhang",
    "risk-assessment-of-the-2024-quarter-plan",
    "见 task-force-2024-planning-notes-final",
)


@pytest.mark.parametrize("secret", SECRETS, ids=lambda secret: SECRETS[secret])
def test_a_secret_is_masked_wherever_it_stands(secret: str) -> None:
    kind = SECRETS[secret]
    for around in ("{}", "我的是{}，记一下", "key `{}`.", 'x = "{}"', "- {}\n- 下一条"):
        text = around.format(secret)
        masked, found = mask(text)
        assert secret not in masked
        assert masked == around.format(f"[REDACTED:{kind}]")
        assert [text[each.start : each.end] for each in found] == [secret]
        assert mask(masked) == (masked, ())


@pytest.mark.parametrize(("text", "secret", "kind"), NAMED, ids=lambda value: value[:12])
def test_a_named_secret_is_masked_and_its_name_stays(text: str, secret: str, kind: str) -> None:
    masked, found = mask(text)
    assert masked == text.replace(secret, f"[REDACTED:{kind}]")
    assert [(each.kind, text[each.start : each.end]) for each in found] == [(kind, secret)]
    assert mask(masked) == (masked, ())


@pytest.mark.parametrize("text", HARMLESS)
def test_text_that_only_talks_about_secrets_stays(text: str) -> None:
    assert mask(text) == (text, ())


def test_several_secrets_in_one_text() -> None:
    text = "甲 ghp_" + A36 + "，密码：a1b2c3d4，乙"
    masked, found = mask(text)
    assert masked == "甲 [REDACTED:github-token]，密码：[REDACTED:password]，乙"
    assert len(found) == 2


@given(st.text(max_size=200))
def test_masking_twice_is_masking_once(text: str) -> None:
    masked, found = mask(text)
    assert bool(found) == (masked != text)
    assert mask(masked)[0] == masked


def test_no_secret_reaches_the_disk_on_any_way_in(tmp_path: Path) -> None:
    path = tmp_path / "m" / "memory.json"
    secret = "ghp_" + A36
    memory = Memory(path, profile="lexical", cache=path.parent / "cache")
    first = memory.remember(f"令牌 {secret} 给甲", USER)
    assert isinstance(first, Remembered)
    assert first.entry == "令牌 [REDACTED:github-token] 给甲"
    assert [each.kind for each in first.masked] == ["github-token"]
    outcomes = (
        memory.edit(1, first.entry, f"改 {secret}", USER),
        memory.import_many([f"导入 {secret}", "另一条"], USER),
        memory.merge((2, "导入 [REDACTED:github-token]"), (3, "另一条"), f"合 {secret}", USER),
        memory.split(2, "合 [REDACTED:github-token]", [f"分 {secret}", "二"], USER),
        memory.replace(3, "二", f"新 {secret}", USER),
    )
    for outcome in outcomes:
        assert isinstance(outcome, Changed)
        assert [each.kind for each in outcome.masked] == ["github-token"]
    memory.warm()
    for file in path.parent.rglob("*"):
        if file.is_file():
            assert A36.encode() not in file.read_bytes()
    assert len(json.loads(path.read_text(encoding="utf-8"))) == 3
