"""A small OpenAI-compatible server for tests: real HTTP, made-up answers, abilities that can be taken away."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, Any] | None
PROBE = "Name some animals."


def fields(payload: dict[str, Any]) -> str:
    """The text that the model is asked about: the last user message, or the plain prompt."""
    if "prompt" in payload:
        return str(payload["prompt"])
    return str([m["content"] for m in payload["messages"] if m["role"] == "user"][-1])


def is_probe(payload: dict[str, Any]) -> bool:
    return PROBE in fields(payload) or fields(payload) == "Hello"


@dataclass
class Stub:
    """Behaves like vLLM's server.

    answer: from a payload to the answer's text, or (text, finish_reason). before: may give another reply, or None for
    no answer at all (the connection is cut). Without an ability the field is ignored, or refused if ``strict``.
    """

    answer: Callable[[dict[str, Any]], Any] = lambda payload: " are quiet."
    before: Callable[[Stub, dict[str, Any]], Any] = lambda stub, payload: ...
    knows: frozenset[str] = frozenset({"continue_final_message", "response_format", "top_k", "chat_template_kwargs"})
    strict: bool = False
    chat: bool = True
    pause: float = 0.0
    seen: list[dict[str, Any]] = field(default_factory=list)
    endpoint: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def asked(self) -> list[dict[str, Any]]:
        """What was asked, less the questions that open a connection."""
        return [payload for payload in self.seen if not is_probe(payload)]

    def post(self, path: str, payload: dict[str, Any]) -> Reply:
        if path not in ("/v1/completions", *(("/v1/chat/completions",) if self.chat else ())):
            return 404, {"detail": "Not Found"}
        with self.lock:
            self.seen.append(payload)
        known = {"continue_final_message", "response_format", "top_k", "chat_template_kwargs"}
        unknown = sorted((known - self.knows) & set(payload))
        if unknown and self.strict:
            return 400, {"error": {"message": f"unknown field {unknown[0]}"}}
        reply = self.before(self, payload)
        if reply is not ...:
            return reply
        time.sleep(self.pause)
        text, reason = self.probed(payload) if is_probe(payload) else self.told(payload)
        holder = {"text": text} if "prompt" in payload else {"message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": self.length(payload), "completion_tokens": len(text.split())}
        return 200, {"choices": [{"index": 0, "finish_reason": reason, **holder}], "usage": usage}

    def told(self, payload: dict[str, Any]) -> tuple[str, str]:
        found = self.answer(payload)
        return found if isinstance(found, tuple) else (found, "stop")

    def probed(self, payload: dict[str, Any]) -> tuple[str, str]:
        if "response_format" in payload and "response_format" in self.knows:
            return '["Zebras are striped", "Zebras are fast"]', "stop"
        same = "top_k" in self.knows or "top_k" not in payload
        return f"Cats, dogs {0 if same else payload.get('seed')}", "length"

    def length(self, payload: dict[str, Any]) -> int:
        """Prompt tokens: three for the beginning of an answer, unless a begun message is continued."""
        words = sum(
            len(m["content"].split()) for m in payload.get("messages", [{"content": payload.get("prompt", "")}])
        )
        continued = payload.get("continue_final_message") and "continue_final_message" in self.knows
        return words + (0 if continued else 3)


class _Handler(BaseHTTPRequestHandler):
    stub: Stub

    def do_GET(self) -> None:
        self.reply((200, {"data": [{"id": "tiny"}]}))

    def do_POST(self) -> None:
        payload = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.reply(self.stub.post(self.path, payload))

    def reply(self, found: Reply) -> None:
        if found is None:
            self.close_connection = True
            return
        status, body = found
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.send_response(status)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        pass


@contextlib.contextmanager
def serving(stub: Stub, port: int = 0) -> Iterator[Stub]:
    """The stub behind HTTP on loopback while the block runs."""
    handler = type("Handler", (_Handler,), {"stub": stub})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    stub.endpoint = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()


def entry(stub: Stub, **more: Any) -> dict[str, Any]:
    """Registry entry of the stub."""
    return {
        "kind": "causal", "source": "hf:org/tiny", "revision": "0" * 40, "engine": "server", "dtype": "float32",
        "quantisation": "none", "endpoint": stub.endpoint, "served_as": "tiny", "concurrency": 1, **more,
    }  # fmt: skip


def strings(payload: dict[str, Any], count: int = 1) -> list[str]:
    """Different strings that the pattern of a payload's schema allows."""
    schema = payload["response_format"]["json_schema"]["schema"]
    part = schema["items"] if schema["type"] == "array" else schema["properties"]["opposite"]
    beginning = part["pattern"].removeprefix("^").split("[^")[0].replace("\\", "")
    return [f"{beginning}{word}." for word in ("rest", "doze", "nap", "snooze", "relax")[:count]]
