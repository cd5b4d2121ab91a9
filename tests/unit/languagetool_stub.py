"""A stand-in for LanguageTool's HTTP server, for its faults: it dies, hangs, refuses, answers garbage, is of another version.

Its only rule finds a doubled word. What a sentence holds makes it fail: DIE ends the process, HANG answers never, REFUSE
is refused with status 500, GARBAGE is answered with JSON of another form, CUT with incomplete results.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

VERSION = "6.8"
LANGUAGES = [
    {"name": name, "code": code.split("-")[0], "longCode": code}
    for name, code in (("English", "en-US"), ("Spanish", "es"), ("Russian", "ru-RU"), ("Chinese", "zh-CN"))
]
DOUBLED = re.compile(r"\b(\w+) \1\b")


class Stub(ThreadingHTTPServer):
    """The server; ``asked`` holds the parameters of every check."""

    daemon_threads = True

    def __init__(self, port: int = 0, version: str = VERSION) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.version = version
        self.asked: list[dict[str, str]] = []
        self.patience = threading.Event()  # set when the test is over: what hangs ends
        self.unavailable = 0  # so many checks are cut off without an answer

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Stub:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.patience.set()
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: Stub
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path.startswith("/v2/languages"):
            self._send(json.dumps(LANGUAGES))
        elif self.path.startswith("/v2/healthcheck"):
            self._send("OK")
        else:
            self._send("no such path", 404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        asked = dict(urllib.parse.parse_qsl(body, keep_blank_values=True))
        self.server.asked.append(asked)
        text = asked["text"]
        if self.server.unavailable:
            self.server.unavailable -= 1
            self.close_connection = True
            self.connection.close()
        elif "DIE" in text:
            os._exit(3)
        elif "HANG" in text:
            self.server.patience.wait(60)
            self.close_connection = True
        elif "REFUSE" in text:
            self._send("Error: cannot do that", 500)
        elif "GARBAGE" in text:
            self._send('{"something": "else"}')
        else:
            self._send(json.dumps(self._answer(text, cut="CUT" in text)))

    def _answer(self, text: str, cut: bool) -> dict[str, object]:
        matches = [
            {
                "message": "doubled", "shortMessage": "", "replacements": [{"value": found[1]}],
                "offset": len(text[: found.start()].encode("utf-16-le")) // 2, "length": len(found[0]),
                "context": {"text": text, "offset": found.start(), "length": len(found[0])}, "sentence": text,
                "rule": {"id": "DOUBLED", "description": "", "issueType": "grammar", "category": {"id": "MISC", "name": ""}},
            }
            for found in DOUBLED.finditer(text)
        ]  # fmt: skip
        return {
            "software": {"name": "LanguageTool", "version": self.server.version, "buildDate": "then"},
            "warnings": {"incompleteResults": cut},
            "language": {"name": "x", "code": "x"},
            "matches": matches,
        }

    def _send(self, text: str, status: int = 200) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def java(folder: Path, version: str = "17.0.1", server: str = VERSION, says: str = "") -> Path:
    """A program that plays Java: it names its version, and runs the stub where Java would run LanguageTool.

    Args:
        folder: where the program is put.
        version: the Java that it pretends to be.
        server: the LanguageTool that it pretends to run.
        says: it prints this and ends instead of serving, the first time that it is started.
    """
    program = folder / "java"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(Path(__file__).resolve().parents[2])!r})\n"
        f"from tests.unit import languagetool_stub\nlanguagetool_stub.main({version!r}, {server!r}, {says!r})\n"
    )
    program.chmod(0o755)
    return program


def main(version: str, server: str, says: str) -> None:
    """What the program of :func:`java` does; its arguments go to the file `started` beside it, a line a start."""
    if "-version" in sys.argv:
        print(f'openjdk version "{version}" 2025-01-01', file=sys.stderr)
        return
    starts = Path(sys.argv[0]).parent / "started"
    first = not starts.exists()
    with starts.open("a") as file:
        file.write(" ".join(sys.argv[1:]) + "\n")
    if says and first:
        print(says)
        sys.exit(1)
    with Stub(int(sys.argv[sys.argv.index("-p") + 1]), server):
        while True:
            time.sleep(60)
