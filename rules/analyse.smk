# Measures -> tables, figures and the report.

ANALYSES = ["headline", "contradictions"]
VALIDATION_SHOWN = ["rates", "agreement", "annotators", "items", "curve", "thresholds", "problems", "rejected"]
FIGURES = ["contradictions", "flips", "headline_I_GxA", "headline_absB_avg"]


rule analyse:
    input:
        stereotypes=out("stereotypes.parquet"),
        sets=out("sets.parquet"),
        candidates=[
            out("candidates/paraphrase.parquet"),
            *rounds("candidates/{task}.parquet"),
        ],
        variants=out("variants.parquet"),
        alternates=out("alternates.parquet"),
        augmented=out("augmented.parquet"),
        measures=expand(out("measures/{model}.parquet"), model=CONFIG.roles.score),
        set_measures=expand(out("set_measures/{model}.parquet"), model=CONFIG.roles.score),
        rejected=out("validation/rejected.parquet") if VALIDATED else [],
    output:
        tables=expand(
            out("analysis/{name}.{kind}"),
            name=ANALYSES,
            kind=["parquet", "csv", "tex"],
        ),
        figures=expand(out("figures/{name}.{kind}"), name=FIGURES, kind=["svg", "png", "csv"]),
        funnel=out("funnel.csv"),
        funnel_table=out("analysis/funnel.parquet"),
        warnings=out("analysis/warnings.json"),
    log:
        out("logs/analyse.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("analyse"),
        code=code("analyse"),
        settings=slice_of(CONFIG.analysis),
        seed=CONFIG.seed,
        tie=CONFIG.scoring.tie,
        normalisation=CONFIG.scoring.normalisation,
        rejected=f"--rejected {out('validation/rejected.parquet')}" if VALIDATED else "",
        folder=lambda wildcards, output: run_folder(output),
    shell:
        "{params.command} --stereotypes {input.stereotypes:q} --sets {input.sets:q}"
        " --candidates {input.candidates:q} --variants {input.variants:q} --alternates {input.alternates:q}"
        " --augmented {input.augmented:q} --measures {input.measures:q} --set-measures {input.set_measures:q}"
        " --settings {params.settings:q} --seed {params.seed} --tie {params.tie}"
        " --normalisation {params.normalisation} {params.rejected} --folder {params.folder:q} --log {log:q}"


rule report:
    input:
        sets=out("sets.parquet"),
        augmented=out("augmented.parquet"),
        scores=expand(out("scores/{model}.parquet"), model=CONFIG.roles.score),
        measures=expand(out("measures/{model}.parquet"), model=CONFIG.roles.score),
        set_measures=expand(out("set_measures/{model}.parquet"), model=CONFIG.roles.score),
        headline=out("analysis/headline.parquet"),
        contradictions=out("analysis/contradictions.parquet"),
        funnel=rules.analyse.output.funnel_table,
        warnings=rules.analyse.output.warnings,
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
