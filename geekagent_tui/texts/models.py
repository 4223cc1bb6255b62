"""Texts of the model clients: what goes wrong with a service, and all that the offline responder says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelsTexts:
    """What the model clients say. Named fields in braces are filled in by ``str.format``."""

    no_model_name: str = "（未指定模型）"

    # A service that answered with an error.
    status: str = "服务返回 {status}：{reason}（{url}）"
    status_bare: str = "服务返回 {status}，没有说明原因（{url}）"
    web_page: str = "这个地址返回的是网页，不是模型服务：{line}（{url}）"
    stream_error: str = "服务在回答中途报错：{reason}"
    stopped_by_service: str = "服务中止了这次回答（{reason}）"
    empty_body: str = "服务应答了，但内容是空的（{url}）"
    not_an_answer: str = "服务的应答读不懂：{line}（{url}）"
    broken_event: str = "服务发来的一段数据不是合法的 JSON：{line}"
    undecodable: str = "服务的应答解压失败（{url}）"

    # A service that could not be reached, or went away.
    no_host: str = "找不到主机 {host}（DNS 解析失败）"
    refused: str = "连不上 {host}：那里没有服务在监听"
    unreachable: str = "连不上 {host}：{reason}"
    proxy_failed: str = "代理没有接通 {host}：{reason}"
    bad_address: str = "服务地址不对：{url}"
    tls_certificate: str = "{host} 的证书验证失败：{reason}"
    tls_failed: str = "和 {host} 的加密连接（TLS）没有建立：{reason}"
    connect_timeout: str = "{seconds} 秒内没有连上 {host}"
    silence: str = "{host} 连续 {seconds} 秒没有发来任何数据"
    hung_up: str = "{host} 没有应答就断开了连接"
    interrupted: str = "连接在回答中途断开，回答到此为止不完整"
    interrupted_silent: str = "回答中途连续 {seconds} 秒没有数据，回答到此为止不完整"
    key_not_ascii: str = "OPENAI_API_KEY 里有不能放进请求头的字符（空白、换行或非 ASCII 字符）"
    unknown: str = "请求失败（{name}）：{reason}"

    # What to do.
    hint_retry: str = "稍后输入 /retry 再试一次。"
    hint_key: str = "检查 OPENAI_API_KEY（现在取自：{source}）：改成有效的密钥后输入 /retry。"
    hint_key_missing: str = (
        "这个服务要密钥：在 .env 里设置 OPENAI_API_KEY，再输入 /retry（环境变量要重启才算）。"
    )
    key_source_unknown: str = "环境变量、.env 或用户配置"
    hint_forbidden: str = "这个密钥没有权限用模型 {model}：换一个模型（OPENAI_MODEL）或密钥，再输入 /retry。"
    hint_model: str = "检查模型名 {model}（OPENAI_MODEL）：服务没有这个模型。改好后输入 /retry。"
    hint_address: str = "检查 OPENAI_BASE_URL：一般以 /v1 结尾，不含 /chat/completions；也确认模型名 {model}。改好后输入 /retry。"
    hint_doubled: str = "OPENAI_BASE_URL 里的 /v1 可能重复了；改好后输入 /retry。"
    hint_rate: str = "请求太频繁或额度用完：等一会儿再输入 /retry。"
    hint_rate_wait: str = "服务要求 {seconds} 秒后再来：到时输入 /retry。"
    hint_quota: str = "额度或余额不足：到服务商处充值，或换一个密钥（OPENAI_API_KEY），再输入 /retry。"
    hint_context: str = "对话太长，超过了模型的上下文：用 /compact 压缩历史或 /new 开新会话，再问一次。"
    hint_too_large: str = "请求太大：缩短消息，或用 /new 开新会话再问。"
    hint_bad_request: str = "服务不接受这个请求：按上面的说明检查模型名和配置，再输入 /retry。"
    hint_reasoning: str = "这个模型要求回传思考内容，目前还不支持：换一个不带思考的模型（OPENAI_MODEL）。"
    hint_server: str = "是服务那边的故障：稍后输入 /retry 再试一次。"
    hint_network: str = "检查网络、代理和 OPENAI_BASE_URL，再输入 /retry。"
    hint_start_server: str = "确认模型服务已经启动、端口没有写错，再输入 /retry。"
    hint_certificate: str = "检查系统时间和证书；公司代理的根证书要装进系统。之后输入 /retry。"
    hint_plain: str = "这个地址可能不是 https：把 OPENAI_BASE_URL 改成 http:// 开头试试。"
    hint_slow: str = "模型可能在排队或思考太久：输入 /retry 再试，或把超时调长。"
    hint_protocol: str = "检查 OPENAI_BASE_URL 指向的是不是兼容 OpenAI 的服务；改好后输入 /retry。"
    hint_interrupted: str = "已收到的文字都留着；输入 /retry 重新回答。"

    # Said while a request goes on.
    retrying: str = "服务暂时忙（{status}），{seconds} 秒后自动重试（第 {attempt} 次）"
    without_tools: str = "模型 {model} 不支持工具调用，这一轮不带工具；长期记忆的自动唤起照常。"
    call_cut: str = "有 {count} 个工具调用没有写完，没有执行"
    empty_answer: str = "服务正常结束，但没有给出任何内容"

    # The offline responder.
    offline_label: str = "离线应答（未配置模型）"
    offline_configure: str = "（离线应答：回答只摘自长期记忆。要接上模型，把 `OPENAI_BASE_URL`、`OPENAI_API_KEY`、`OPENAI_MODEL` 写进 `.env`，下一条消息就会用上。）"
    offline_found: str = "长期记忆里这样写着："
    offline_source: str = "条目 #{entry}，第 {segment} 段"
    offline_maybe: str = "没有找到足够相关的记忆。最接近的是条目 #{entry}，第 {segment} 段，供参考："
    offline_nothing: str = "没有找到相关的记忆。"
    offline_no_memory: str = "长期记忆还是空的。说“记住：……”就能存下第一条，以后问起会自动想起。"
    offline_no_recall: str = "这一轮没有搜成长期记忆，离线应答没有可以引用的内容。"
    offline_remember_what: str = "要记住什么？把内容写在“记住：”后面就行。"
    offline_cannot_write: str = (
        "现在不能写长期记忆：memory_write 没有被允许（见 .geekagent/GeekAgent.json）。"
    )
    offline_stored: str = "好，已经存进长期记忆（{characters} 字）：{start}"
    offline_stored_cut: str = "好，已经存进长期记忆，太长的部分截掉了（存下 {characters} 字）：{start}"
    offline_known: str = "这条已经在长期记忆里了，没有重复保存。"
    offline_not_stored: str = "没有存进长期记忆：{reason}"
    offline_time: str = "现在是 {time}。"
    offline_tool: str = "{name} 的结果：{result}"


ZH = ModelsTexts()
EN = ModelsTexts(
    no_model_name="(no model named)",
    status="The service answered {status}: {reason} ({url})",
    status_bare="The service answered {status} without a reason ({url})",
    web_page="The address answers with a web page, not a model service: {line} ({url})",
    stream_error="The service reported an error in the middle of the answer: {reason}",
    stopped_by_service="The service stopped this answer ({reason})",
    empty_body="The service answered, but with nothing in it ({url})",
    not_an_answer="The service's answer makes no sense: {line} ({url})",
    broken_event="The service sent data that is not valid JSON: {line}",
    undecodable="The service's answer could not be decompressed ({url})",
    no_host="There is no host {host} (DNS lookup failed)",
    refused="Cannot connect to {host}: nothing listens there",
    unreachable="Cannot connect to {host}: {reason}",
    proxy_failed="The proxy did not get through to {host}: {reason}",
    bad_address="The service address is wrong: {url}",
    tls_certificate="The certificate of {host} could not be verified: {reason}",
    tls_failed="No encrypted connection (TLS) to {host}: {reason}",
    connect_timeout="No connection to {host} within {seconds} seconds",
    silence="{host} sent nothing for {seconds} seconds",
    hung_up="{host} closed the connection without an answer",
    interrupted="The connection broke in the middle; the answer is incomplete",
    interrupted_silent="Nothing came for {seconds} seconds in the middle; the answer is incomplete",
    key_not_ascii="OPENAI_API_KEY has characters that no request header can carry (blanks, line breaks or non-ASCII)",
    unknown="The request failed ({name}): {reason}",
    hint_retry="Type /retry to try again in a while.",
    hint_key="Check OPENAI_API_KEY (taken from {source}): set a valid key, then /retry.",
    hint_key_missing="This service wants a key: write OPENAI_API_KEY into .env, then /retry (the environment needs a restart).",
    key_source_unknown="the environment, .env or the user configuration",
    hint_forbidden="This key may not use the model {model}: change the model (OPENAI_MODEL) or the key, then /retry.",
    hint_model="Check the model name {model} (OPENAI_MODEL): the service does not have it. Then /retry.",
    hint_address="Check OPENAI_BASE_URL: it usually ends in /v1, without /chat/completions; check the model name {model} too. Then /retry.",
    hint_doubled="The /v1 in OPENAI_BASE_URL may be doubled; correct it, then /retry.",
    hint_rate="Too many requests, or the quota is used up: wait a while, then /retry.",
    hint_rate_wait="The service asks to wait {seconds} seconds: type /retry then.",
    hint_quota="The quota or balance is used up: top it up, or use another key (OPENAI_API_KEY), then /retry.",
    hint_context="The conversation exceeds the model's context: use /compact, or /new for a new session, and ask again.",
    hint_too_large="The request is too large: shorten the message, or use /new for a new session.",
    hint_bad_request="The service does not accept this request: check model name and configuration, then /retry.",
    hint_reasoning="This model wants its reasoning sent back, which is not supported yet: use another model (OPENAI_MODEL).",
    hint_server="The fault is on the service's side: type /retry in a while.",
    hint_network="Check the network, the proxy and OPENAI_BASE_URL, then /retry.",
    hint_start_server="Make sure that the model server runs and the port is right, then /retry.",
    hint_certificate="Check the clock and the certificate; a company proxy's root belongs in the system store. Then /retry.",
    hint_plain="This address may not speak https: try http:// in OPENAI_BASE_URL.",
    hint_slow="The model may be queueing or thinking for long: /retry, or raise the time-out.",
    hint_protocol="Check that OPENAI_BASE_URL points to an OpenAI-compatible service, then /retry.",
    hint_interrupted="What arrived is kept; type /retry to answer anew.",
    retrying="The service is busy ({status}); trying again in {seconds} s (attempt {attempt})",
    without_tools="The model {model} does not support tools; this turn goes without them. Recall works as always.",
    call_cut="{count} tool calls were cut off and were not run",
    empty_answer="The service finished without giving any content",
    offline_label="Offline responder (no model configured)",
    offline_configure="(Offline: answers only quote long-term memory. To use a model, write `OPENAI_BASE_URL`, `OPENAI_API_KEY` and `OPENAI_MODEL` into `.env`; the next message uses it.)",
    offline_found="Long-term memory says:",
    offline_source="entry #{entry}, segment {segment}",
    offline_maybe="Nothing relevant enough is remembered. Closest is entry #{entry}, segment {segment}, for what it is worth:",
    offline_nothing="Nothing relevant is remembered.",
    offline_no_memory="Long-term memory is still empty. Say “remember: …” to store the first entry.",
    offline_no_recall="Memory could not be searched this turn, so there is nothing to quote.",
    offline_remember_what="Remember what? Write it after “remember:”.",
    offline_cannot_write="Long-term memory can't be written now: memory_write is not allowed (see .geekagent/GeekAgent.json).",
    offline_stored="Stored in long-term memory ({characters} characters): {start}",
    offline_stored_cut="Stored in long-term memory, cut to {characters} characters: {start}",
    offline_known="This is in long-term memory already; it was not stored twice.",
    offline_not_stored="Not stored in long-term memory: {reason}",
    offline_time="It is {time}.",
    offline_tool="Result of {name}: {result}",
)
