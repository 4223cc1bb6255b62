"""Every failure of a service as one ``ModelError`` that a person can read.

Nothing here imports the client library on import; by the time something failed it is loaded.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from typing import Any

from geekagent_tui.agent.models.address import host_of
from geekagent_tui.agent.models.base import ModelError
from geekagent_tui.agent.models.bodies import html_line, looks_like_html, one_line, readable
from geekagent_tui.texts.models import ZH, ModelsTexts

REDACTED = "[REDACTED:OPENAI_API_KEY]"

_CONTEXT = re.compile(
    r"context[_ ](length|window|size)|maximum context|max(imum)? .{0,20}tokens.{0,40}exceed"
    r"|too many (input )?tokens|prompt is too long|input (is )?too long|input length|reduce the length"
    r"|exceeds? .{0,40}token|token.{0,20}limit exceeded"
    r"|上下文.{0,8}(长|超)|超.{0,10}(上下文|token|最大长度)|(输入|长度).{0,6}(过长|超)",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(
    r"not support.{0,40}(tool|function)|(tool|function).{0,60}(not|n't) (be )?(support|enable)"
    r"|no endpoints found that support tool|--enable-auto-tool-choice|--jinja"
    r"|不支持.{0,12}(工具|函数|function|tool)|(工具|函数).{0,8}不支持",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_not_found|no such model|unknown model|(invalid|unsupported) model|not a valid model"
    r"|model.{0,80}(not found|not exist|does(n't| not) exist)|模型.{0,20}(不存在|未找到|找不到)",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient[_ ](quota|balance|credit)|exceeded your current quota|余额|欠费", re.IGNORECASE
)
_USAGE_OPTION = re.compile(r"stream_options|include_usage", re.IGNORECASE)


class Diagnosis:
    """Turns failures of one service into errors. Keeps the key out of every text it makes."""

    def __init__(
        self, *, url: str, model: str, api_key: str = "", key_source: str = "", texts: ModelsTexts = ZH
    ) -> None:
        """``url`` is the address that is asked, ``key_source`` where the key came from, in words."""
        # A password or a key may stand in the address too.
        self.url = re.sub(r"//[^/@]*@", "//", url).partition("?")[0]
        self.model = model
        self._key = api_key
        self._key_source = key_source or texts.key_source_unknown
        self._texts = texts

    def scrub(self, text: str) -> str:
        """``text`` without the key. Placeholders of under four characters are no secrets."""
        return text.replace(self._key, REDACTED) if len(self._key) >= 4 else text

    def error(
        self, kind: str, message: str, hint: str, code: int | None = None, **fields: object
    ) -> ModelError:
        """An error from two texts and the values of their fields."""
        values = {"url": self.url, "host": host_of(self.url), "model": self.model, **fields}
        values = {name: self.scrub(str(value)) for name, value in values.items()}
        return ModelError(kind, message.format(**values), hint.format(**values), code)

    # What a service says.

    def answer(self, status: int, body: str, wait: float | None = None) -> ModelError:
        """An answer with status 4xx or 5xx and the text ``body``; ``wait`` the seconds that it asked to wait."""
        texts = self._texts
        # The key goes before the cut: half a key would not be found any more.
        reason = readable(self.scrub(body))
        kind, hint = self._kind(status, f"{body[:4000]} {reason}", wait)
        message = texts.status if reason else texts.status_bare
        seconds = "" if wait is None else f"{wait:.0f}"
        return self.error(
            kind,
            message,
            hint,
            status,
            status=status,
            reason=reason,
            seconds=seconds,
            source=self._key_source,
        )

    def reported(self, event: Mapping[str, Any]) -> ModelError:
        """An error object inside an answer that began with status 200."""
        reason = readable(event)
        fault = event.get("error")
        code = fault.get("code") if isinstance(fault, Mapping) else event.get("code", event.get("status"))
        try:
            status = int(code) if isinstance(code, int | str) else 0
        except ValueError:
            status = 0
        known = status if 400 <= status < 600 else 0
        kind, hint = self._kind(known, f"{code} {reason}", None)
        return self.error(
            kind,
            self._texts.stream_error,
            hint,
            known or None,
            reason=readable(self.scrub(reason)),
            source=self._key_source,
        )

    def stopped(self, reason: str) -> ModelError:
        """The service ended the answer for a reason that isn't the answer's own end."""
        texts = self._texts
        return self.error(
            "cancelled_by_service", texts.stopped_by_service, texts.hint_interrupted, reason=reason
        )

    def strange(self, body: str) -> ModelError:
        """Status 200 with a body that is no answer: a web page, nothing, or something else."""
        texts = self._texts
        body = self.scrub(body)
        if not body.strip():
            return self.error("protocol", texts.empty_body, texts.hint_protocol)
        if looks_like_html(body):
            return self.error("protocol", texts.web_page, texts.hint_protocol, line=html_line(body))
        line = next((line for line in body.splitlines() if line.strip()), "")
        return self.error("protocol", texts.not_an_answer, texts.hint_protocol, line=one_line(line))

    def broken_event(self, data: str) -> ModelError:
        """An event in the middle of the stream that should be JSON and isn't."""
        texts = self._texts
        return self.error(
            "protocol", texts.broken_event, texts.hint_interrupted, line=one_line(self.scrub(data), 120)
        )

    def interrupted(self) -> ModelError:
        return self.error("interrupted", self._texts.interrupted, self._texts.hint_interrupted)

    def bad_key(self) -> ModelError:
        """A key that can't be sent at all."""
        return self.error("auth", self._texts.key_not_ascii, self._texts.hint_key, source=self._key_source)

    # What the network says.

    def failure(self, problem: BaseException, *, begun: bool, connect: float, silence: float) -> ModelError:
        """The error for an exception of the client or of the connection under it.

        ``begun``: the answer had started. ``connect`` and ``silence`` are the time-outs in seconds.
        """
        import httpx2

        texts = self._texts
        for cause in _chain(problem):
            match cause:
                case socket.gaierror():
                    return self.error("connection", texts.no_host, texts.hint_network)
                case ssl.SSLCertVerificationError():
                    reason = cause.verify_message or cause.reason
                    return self.error("tls", texts.tls_certificate, texts.hint_certificate, reason=reason)
                case ssl.SSLError():
                    plain = "WRONG_VERSION" in str(cause) or "RECORD_LAYER" in str(cause)
                    hint = texts.hint_plain if plain else texts.hint_certificate
                    return self.error("tls", texts.tls_failed, hint, reason=cause.reason or str(cause))
                case ConnectionRefusedError():
                    return self.error("connection", texts.refused, texts.hint_start_server)
        for cause in _chain(problem):
            match cause:
                case httpx2.ConnectTimeout() | httpx2.PoolTimeout():
                    return self.error(
                        "timeout", texts.connect_timeout, texts.hint_network, seconds=f"{connect:g}"
                    )
                case httpx2.TimeoutException():
                    message = texts.interrupted_silent if begun else texts.silence
                    return self.error("timeout", message, texts.hint_slow, seconds=f"{silence:g}")
                case httpx2.ProxyError():
                    return self.error(
                        "connection", texts.proxy_failed, texts.hint_network, reason=_reason(cause)
                    )
                case (
                    httpx2.UnsupportedProtocol()
                    | httpx2.InvalidURL()
                    | httpx2.LocalProtocolError()
                    | OverflowError()
                    | UnicodeError()
                ):
                    return self.error("connection", texts.bad_address, texts.hint_address)
                case httpx2.DecodingError():
                    return self.error("protocol", texts.undecodable, texts.hint_protocol)
                case httpx2.RemoteProtocolError() | httpx2.ReadError():
                    if begun:
                        return self.interrupted()
                    return self.error("connection", texts.hung_up, texts.hint_retry)
                case httpx2.TransportError() | OSError():
                    return self.error(
                        "connection", texts.unreachable, texts.hint_network, reason=_reason(cause)
                    )
        reason = one_line(self.scrub(_reason(problem)))
        return self.error(
            "unknown", texts.unknown, texts.hint_retry, name=type(problem).__name__, reason=reason
        )

    def _kind(self, status: int, said: str, wait: float | None) -> tuple[str, str]:
        """Kind and hint for a status (0 when unknown) and what the service said."""
        texts = self._texts
        if status in (0, 400, 413, 422, 500) and _CONTEXT.search(said):
            return "context_length", texts.hint_context
        if status == 402 or _QUOTA.search(said):
            return "rate_limit", texts.hint_quota
        if status in (0, 400, 404, 422) and _NO_MODEL.search(said):
            return "not_found", texts.hint_model
        match status:
            case 401:
                return "auth", texts.hint_key if self._key else texts.hint_key_missing
            case 403:
                return "auth", texts.hint_forbidden
            case 404 | 405 | 410:
                doubled = re.search(r"/v\d+/.*?v\d+/", self.url) is not None
                return "not_found", texts.hint_doubled if doubled else texts.hint_address
            case 408 | 504:
                return "timeout", texts.hint_slow
            case 413:
                return "bad_request", texts.hint_too_large
            case 429:
                return "rate_limit", texts.hint_rate if wait is None else texts.hint_rate_wait
            case _ if status >= 500:
                return "server", texts.hint_server
            case 0:
                return "server", texts.hint_interrupted
            case _:
                reasoning = "reasoning_content" in said
                return "bad_request", texts.hint_reasoning if reasoning else texts.hint_bad_request


def refuses_tools(body: str) -> bool:
    """A 400 whose text says that the model has no tools."""
    return _NO_TOOLS.search(body) is not None


def names_model(body: str) -> bool:
    """A refusal whose text says that there is no such model."""
    return _NO_MODEL.search(body) is not None


def refuses_usage_option(body: str) -> bool:
    """A 400 whose text names ``stream_options``."""
    return _USAGE_OPTION.search(body) is not None


def _reason(problem: BaseException) -> str:
    return str(problem) or type(problem).__name__


def _chain(problem: BaseException) -> Iterator[BaseException]:
    """``problem`` and what caused it, outermost first, into groups as well."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [problem]
    while waiting:
        cause = waiting.pop(0)
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        if isinstance(cause, BaseExceptionGroup):
            waiting.extend(cause.exceptions)
        waiting.extend((cause.__cause__, cause.__context__))
