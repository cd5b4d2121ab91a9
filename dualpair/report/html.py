"""The report as one self-contained page: no request leaves it, equal data give equal bytes."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from dualpair import __version__
from dualpair.report import validation, views
from dualpair.report.data import ReportData
from dualpair.report.explorer import payload, to_script
from dualpair.report.figures import drawings, inline

_TEMPLATE = "report.html.j2"


def build(context: ReportData) -> str:
    """The whole page.

    It holds its style, script, figures and data, makes no request (a content security policy forbids any), and shows no
    sentence of the data set before the reader asks for them.

    Raises:
        ValueError: if the tables do not belong together (see :func:`dualpair.report.explorer.payload`).
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    _check_models(context)
    style, script = _resource("report.css"), _resource("report.js")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    data = payload(context)
    unit = views.unit(context)
    drawn = drawings(context.contradictions, context.headline, unit)
    text = environment.from_string(_resource(_TEMPLATE)).render(
        run=context.run,
        version=__version__,
        style=Markup(style),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        data=Markup(to_script(data)),
        n_sets=len(data["sets"]),
        facts=views.facts(context),
        summary=views.summary(context.contradictions),
        unit=unit,
        score_meaning=views.score_meaning(context),
        headline=views.headline_rows(context.headline, unit),
        contradictions=views.contradiction_rows(context.contradictions, "original"),
        other_units=[
            (name, views.contradiction_rows(context.contradictions, unit)) for unit, name in views.other_units()
        ],
        figures={drawing.name: (drawing, Markup(inline(drawing))) for drawing in drawn},
        funnel=views.funnel_rows(context.funnel),
        validation=Markup(validation.section(context.validation)),
        warnings=views.warnings(context.warnings),
        config_yaml=context.config_yaml,
        provenance=sorted(context.provenance.items()),
    )
    return text if text.endswith("\n") else text + "\n"


def _check_models(context: ReportData) -> None:
    odd = sorted(set(context.measures) ^ set(context.set_measures))
    if odd:
        raise ValueError(f"measures and set_measures are of different models: {', '.join(odd)} in only one of them")


def _resource(name: str) -> str:
    return files("dualpair.report").joinpath("templates", name).read_text(encoding="utf-8")
