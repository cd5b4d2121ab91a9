# Measures -> tables, figures and the report; selection -> human-validation sheets.

ANALYSES = ["headline", "contradictions"]
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
        augmented=rules.augment.output.augmented,
        measures=expand(out("measures/{model}.parquet"), model=CONFIG.roles.score),
        set_measures=expand(out("set_measures/{model}.parquet"), model=CONFIG.roles.score),
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
        folder=lambda wildcards, output: run_folder(output),
    shell:
        "{params.command} --stereotypes {input.stereotypes:q} --sets {input.sets:q}"
        " --candidates {input.candidates:q} --variants {input.variants:q} --alternates {input.alternates:q}"
        " --augmented {input.augmented:q} --measures {input.measures:q} --set-measures {input.set_measures:q}"
        " --settings {params.settings:q} --seed {params.seed} --tie {params.tie}"
        " --normalisation {params.normalisation} --folder {params.folder:q} --log {log:q}"


rule report:
    input:
        sets=out("sets.parquet"),
        augmented=rules.augment.output.augmented,
        scores=expand(out("scores/{model}.parquet"), model=CONFIG.roles.score),
        measures=expand(out("measures/{model}.parquet"), model=CONFIG.roles.score),
        set_measures=expand(out("set_measures/{model}.parquet"), model=CONFIG.roles.score),
        headline=out("analysis/headline.parquet"),
        contradictions=out("analysis/contradictions.parquet"),
        funnel=rules.analyse.output.funnel_table,
        warnings=rules.analyse.output.warnings,
        templates=report_templates(),
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
    shell:
        "{params.command} --sets {input.sets:q} --augmented {input.augmented:q}"
        " --scores {input.scores:q} --measures {input.measures:q} --set-measures {input.set_measures:q}"
        " --headline {input.headline:q} --contradictions {input.contradictions:q} --funnel {input.funnel:q}"
        " --warnings {input.warnings:q} --config {params.config:q} --out {output:q} --log {log:q}"


rule sheets:
    input:
        sets=out("sets.parquet"),
        variants=out("variants.parquet"),
        alternates=out("alternates.parquet"),
    output:
        out("sheets.json"),
    log:
        out("logs/sheets.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("sheets"),
        code=code("sheets"),
        settings=slice_of(CONFIG.sheets),
        seed=CONFIG.seed,
        folder=lambda wildcards, output: run_folder(output),
    shell:
        "{params.command} --sets {input.sets:q} --variants {input.variants:q}"
        " --alternates {input.alternates:q} --settings {params.settings:q} --seed {params.seed}"
        " --folder {params.folder:q} --out {output:q} --log {log:q}"
