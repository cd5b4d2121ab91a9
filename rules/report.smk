# Tables of the analyses -> the report.
from dualpair.report import order
from dualpair.report.sections.norms import TABLES as NORMS_SHOWN

VALIDATION_SHOWN = ["rates", "agreement", "annotators", "items", "curve", "thresholds", "problems", "rejected"]
# An analysis that the config leaves out has no tables, and no section.
REPORTED = [name for name in [*order.tables(), "funnel"] if CONFIG.norms is not None or name not in NORMS_SHOWN]
SURVEYED = CONFIG.validation.ratings is not None and bool(CONFIG.validation.ratings.returned)


rule report:
    input:
        sets=out("sets.parquet"),
        augmented=out("augmented.parquet"),
        scores=expand(out("scores/{model}.parquet"), model=CONFIG.roles.score),
        measures=expand(out("measures/{model}.parquet"), model=CONFIG.roles.score),
        tables=expand(out("analysis/{name}.parquet"), name=REPORTED),
        warnings=out("analysis/warnings.json"),
        templates=report_templates(),
        published=[os.path.relpath(path) for path in sorted(paths.resource("published").glob("*.yaml"))],
        validation=validation_tables(VALIDATION_SHOWN),
        validation_notes=out("validation/notes.json") if CONFIG.validation.returned else [],
        ratings=[*ratings_tables(["parquet"]), out("validation/ratings/notes.json")] if SURVEYED else [],
    output:
        report(
            out("report.html"), caption="../report/report.rst", category="Report", labels={"what": "the whole report"}
        ),
    log:
        out("logs/report.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("report"),
        code=code("report"),
        facts=facts(),
        config=lambda wildcards: slice_of(report_config()),
        validation=f"--validation {out('validation')}" if CONFIG.validation.returned else "",
        ratings=f"--ratings {out('validation/ratings') if SURVEYED else ''}" if CONFIG.validation.ratings else "",
    shell:
        "{params.command} --sets {input.sets:q} --augmented {input.augmented:q}"
        " --scores {input.scores:q} --measures {input.measures:q} --tables {input.tables:q}"
        " --warnings {input.warnings:q} --facts {params.facts:q} --config {params.config:q}"
        " {params.validation} {params.ratings} --out {output:q} --log {log:q}"
