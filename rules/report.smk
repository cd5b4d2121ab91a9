# Tables of the analyses -> the report.

VALIDATION_SHOWN = ["rates", "agreement", "annotators", "items", "curve", "thresholds", "problems", "rejected"]


rule report:
    input:
        sets=out("sets.parquet"),
        augmented=out("augmented.parquet"),
        scores=expand(out("scores/{model}.parquet"), model=CONFIG.roles.score),
        measures=expand(out("measures/{model}.parquet"), model=CONFIG.roles.score),
        set_measures=expand(out("set_measures/{model}.parquet"), model=CONFIG.roles.score),
        headline=out("analysis/headline.parquet"),
        contradictions=out("analysis/contradictions.parquet"),
        funnel=rules.headline.output.funnel_table,
        warnings=rules.headline.output.warnings,
        templates=report_templates(),
        validation=validation_tables(VALIDATION_SHOWN),
        validation_notes=out("validation/notes.json") if CONFIG.validation.returned else [],
    output:
        out("report.html"),
    log:
        out("logs/report.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("report"),
        code=code("report"),
        config=lambda wildcards: slice_of(report_config()),
        validation=f"--validation {out('validation')}" if CONFIG.validation.returned else "",
    shell:
        "{params.command} --sets {input.sets:q} --augmented {input.augmented:q}"
        " --scores {input.scores:q} --measures {input.measures:q} --set-measures {input.set_measures:q}"
        " --headline {input.headline:q} --contradictions {input.contradictions:q} --funnel {input.funnel:q}"
        " --warnings {input.warnings:q} --config {params.config:q} {params.validation} --out {output:q} --log {log:q}"
