"""Size of the full-size report, and how long Chromium takes to open it, at desktop and phone width.

    python -m benchmarks.report_page                    prints; 9 models x 4 languages x 170 sets x 10 pairs
    python -m benchmarks.report_page --page FILE        of a report that is there already

Wall times are of this machine and its load. CPU times are of the page's main thread, by its own clock, and hardly
depend on the load; the phone's are four times as long, which is how much slower a middling phone is taken to be.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from benchmarks import machine
from dualpair.report.html import build
from tests.unit import measure_world, report_world
from tests.unit.browser import Browser, program

SHOW = "document.getElementById('reveal').click(); new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
SORT = "document.querySelector('#list th[data-key=strength] button').click()"
END = "scrollTo(0, document.body.scrollHeight); new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
TIMING = (
    "(() => { const t = performance.getEntriesByType('navigation')[0]; const p = "
    "performance.getEntriesByName('first-contentful-paint')[0]; return [p ? p.startTime : NaN, t.loadEventEnd]; })()"
)


def main() -> None:
    """Build, open, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=Path, help="open this report, build none")
    options = parser.parse_args()
    found = program()
    if found is None:
        raise SystemExit("Chromium is not installed")
    with tempfile.TemporaryDirectory() as folder:
        page = options.page or full(Path(folder))
        print(f"{machine.description(1, ())['cpu']}, load {machine.load()}; {page.stat().st_size / 1e6:.2f} MB")
        for name, width, slower in (("desktop", 1280, 1), ("phone", 390, 4)):
            browser = Browser(found, Path(folder) / name)
            browser.send("Performance.enable", timeDomain="threadTicks")
            browser.open(page.resolve(), width, "light")
            paint, loaded = browser.run(TIMING)
            steps = {"load": busy(browser)}
            for step, expression in (("open the explorer", SHOW), ("sort it", SORT), ("read to the end", END)):
                before = busy(browser)
                browser.run(expression)
                steps[step] = busy(browser) - before
            shown = ", ".join(f"{step} {slower * seconds:.2f} s" for step, seconds in steps.items())
            print(f"{name}: CPU: {shown}; wall: first paint {paint / 1000:.2f} s, loaded {loaded / 1000:.2f} s")
            browser.close()


def busy(browser: Browser) -> float:
    """CPU seconds that the page's main thread has worked."""
    metrics = {one["name"]: one["value"] for one in browser.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def full(folder: Path) -> Path:
    """The full-size report, with every analysis that needs no more than the measures."""
    started = time.perf_counter()
    data = report_world.made(measure_world.FULL, every=True)
    made = time.perf_counter()
    path = folder / "report.html"
    path.write_text(build(data), encoding="utf-8")
    print(f"data and analyses {made - started:.1f} s, page {time.perf_counter() - made:.1f} s")
    return path


if __name__ == "__main__":
    main()
