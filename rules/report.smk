# Tables of the analyses -> the report; the config -> the run's settings as a file.
from dualpair.report import order
from dualpair.report.sections.norms import TABLES as NORMS_SHOWN

VALIDATION_SHOWN = ["rates", "agreement", "annotators", "items", "curve", "thresholds", "problems", "rejected"]
# An analysis that the config leaves out has no tables, and no section.
REPORTED = [name for name in [*order.tables(), "funnel"] if CONFIG.norms is not None or name not in NORMS_SHOWN]
SURVEYED = CONFIG.validation.ratings is not None and bool(CONFIG.validation.ratings.returned)


# After the measures, so that the settings are those that they were made with, whatever another call stopped at.
rule run_config:
    input:
        set_measures=expand(out("set_measures/{model}.parquet"), model=CONFIG.roles.score),
    output:
        out(run_config.NAME),
    log:
        out("logs/run_config.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("run_config"),
        code=code("run_config"),
        config=lambda wildcards: slice_of(settings_of_run()),
    shell:
        "{params.command} --config {params.config:q} --out {output:q} --log {log:q}"


rule report:
    input:
        # Not read: the target `report` leaves this file too, and a new one makes no new report.
        run_config=ancient(rules.run_config.output[0]),
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
