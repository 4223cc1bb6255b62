"""Base URLs as people paste them."""

from __future__ import annotations

import pytest

from geekagent_tui.agent.models.address import base_urls, host_of


@pytest.mark.parametrize(
    ("given", "first"),
    [
        ("", "https://api.openai.com/v1"),
        ("https://api.openai.com/v1", "https://api.openai.com/v1"),
        (" https://api.openai.com/v1/ ", "https://api.openai.com/v1"),
        ('"https://api.openai.com/v1"', "https://api.openai.com/v1"),
        ("https://api.deepseek.com", "https://api.deepseek.com/v1"),
        ("api.deepseek.com", "https://api.deepseek.com/v1"),
        ("localhost:11434", "http://localhost:11434/v1"),
        ("127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("192.168.1.7:8000", "http://192.168.1.7:8000/v1"),
        ("[::1]:8000", "http://[::1]:8000/v1"),
        ("box.local:1234", "http://box.local:1234/v1"),
        ("https://x.example/v1/chat/completions", "https://x.example/v1"),
        ("https://x.example/v1/chat/completions/", "https://x.example/v1"),
        ("https://x.example/chat/completions", "https://x.example/v1"),
        ("https://x.example/v1/models", "https://x.example/v1"),
        ("https://x.example/v1/v1", "https://x.example/v1"),
        ("https://ark.example/api/v3", "https://ark.example/api/v3"),
        ("https://ark.example/api/v3/chat/completions", "https://ark.example/api/v3"),
        ("https://x.example/compatible-mode/v1", "https://x.example/compatible-mode/v1"),
        ("https://x.example/v1beta/openai/", "https://x.example/v1beta/openai"),
        ("http://[::1/v1", "http://[::1/v1"),
    ],
)
def test_row_46_the_likely_address(given: str, first: str) -> None:
    assert base_urls(given)[0] == first


def test_only_a_bare_host_leaves_a_second_address() -> None:
    assert base_urls("https://x.example") == ("https://x.example/v1", "https://x.example")
    assert base_urls("https://x.example/v1") == ("https://x.example/v1",)


def test_the_host_in_a_message_has_no_password() -> None:
    assert host_of("https://user:secret@x.example:8443/v1") == "x.example:8443"
