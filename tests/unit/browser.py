"""A headless browser for tests of pages: the DevTools protocol over two pipes, no driver and no port."""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--no-first-run",
    # One process for all pages: between two, what a page stores arrives late, and a reload at once may miss it.
    "--renderer-process-limit=1",
    "--disable-features=BackForwardCache,ProactivelySwapBrowsingInstance,RenderDocument",
    "--remote-debugging-pipe",
)

CODES = {
    "Tab": 9, "Enter": 13, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowRight": 39,
    "Delete": 46,
}  # fmt: skip

LOADED = "Page.loadEventFired"
LEFT = "window.left = true"
SETTLED = "new Promise(done => setTimeout(() => done(true)))"  # the event of the load is sent before this is answered


def _high(descriptor: int) -> int:
    """The same open file under a number from 10 up."""
    copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return copy


class Browser:
    """A headless browser with one page, driven through the DevTools protocol on file descriptors 3 and 4."""

    def __init__(self, program: str, profile: Path) -> None:
        # Under high numbers, so that no descriptor is overwritten before it is copied, and no copy closed.
        commands_out, self._commands = (_high(one) for one in os.pipe())
        self._answers, answers_in = (_high(one) for one in os.pipe())
        script = f'exec 3<&{commands_out} 4>&{answers_in} {commands_out}<&- {answers_in}>&-; exec "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "bash", program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(commands_out, answers_in),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands_out)
        os.close(answers_in)
        self._rest, self._number, self._session = b"", 0, ""
        self.events: list[dict[str, Any]] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """A command, and its answer."""
        number = self.post(method, **params)
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            if method == "Page.navigate" and answer.get("method") == "Page.javascriptDialogOpening":
                self.post("Page.handleJavaScriptDialog", accept=True)  # a page that asks before it is left
            self.events.append(answer)

    def post(self, method: str, **params: Any) -> int:
        """A command whose answer nobody waits for; its number."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        return self._number

    def wait_for(self, *methods: str) -> tuple[str, dict[str, Any]]:
        """The first event of one of these names, among those not looked at yet: name and parameters."""
        while True:
            for event in self.events:
                if event.get("method") in methods:
                    self.events.remove(event)
                    return event["method"], event["params"]
            self.events.append(self._read())

    def press(self, *keys: str) -> None:
        """Press and release keys, by their name in JavaScript, such as ``1`` or ``ArrowLeft``."""
        for key in keys:
            text = key if len(key) == 1 else "\r" if key == "Enter" else ""
            code = CODES.get(key, ord(key[0].upper()))
            self.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, windowsVirtualKeyCode=code)
            self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def run(self, expression: str) -> Any:
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def open(self, path: Path, width: int, scheme: str) -> None:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.send("Emulation.setDeviceMetricsOverride", **size)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.run(LEFT)
        self.send("Page.navigate", url=path.as_uri())
        self._arrive()

    def reload(self) -> bool:
        """Load the page again, whatever it says; whether it asked before it was left."""
        self.run(LEFT)
        self.post("Page.reload")
        name, event = self.wait_for("Page.javascriptDialogOpening", LOADED)
        if asked := name != LOADED:
            assert event["type"] == "beforeunload"
            self.send("Page.handleJavaScriptDialog", accept=True)
        self._arrive()
        return asked

    def _arrive(self) -> None:
        """Wait until the new page is loaded.

        The old one answers for a while after it was told to go, and its events may come late: neither may pass for the
        new one's.
        """
        while not self._try(f"!window.left && document.readyState === 'complete' && {SETTLED}"):
            time.sleep(0.01)
        self.events = [event for event in self.events if event.get("method") != LOADED]

    def _try(self, expression: str) -> Any:
        """What an expression gives; None when the page goes meanwhile."""
        number = self.post("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        while (answer := self._read()).get("id") != number:
            self.events.append(answer)
        return answer.get("result", {}).get("result", {}).get("value")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=20)
        os.close(self._commands)
        os.close(self._answers)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            chunk = os.read(self._answers, 1 << 20)
            assert chunk, "the browser ended"
            self._rest += chunk
        message, self._rest = self._rest.split(b"\0", 1)
        found: dict[str, Any] = json.loads(message)
        return found


def program() -> str | None:
    """The browser's program, if one is installed."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def axe_source() -> str:
    """The script of axe-core, which checks a page's accessibility; skips the test where it is not installed."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or not found.submodule_search_locations:
        pytest.skip("axe-core is not installed: pip install --no-deps -r requirements/test.txt")
    return (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text(encoding="utf-8")


def violations(browser: Browser, impacts: tuple[str, ...] = ("serious", "critical")) -> list[str]:
    """What axe-core finds on the open page, as `impact rule: element` of at most three elements a rule."""
    browser.run(axe_source() + "; 0")
    found = browser.run("axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)")
    return [
        f"{one['impact']} {one['id']}: {' | '.join(node['html'][:160] for node in one['nodes'][:3])}"
        for one in found
        if one["impact"] in impacts
    ]
