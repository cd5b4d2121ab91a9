# Measures -> headline tables, contradictions, I against B, what was made, and the funnel.

HEADLINE_TABLES = ["headline", "contradictions", "contradictions_mean", "quadratic", "quadratic_bins", "made"]
HEADLINE_FIGURES = [
    "headline_I_GxA",
    "headline_absB_avg",
    "contradictions",
    "flips",
    "contradiction_units",
    "flip_units",
    "quadratic",
]


rule headline:
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
        tables=shown(
            expand(
                out("analysis/{name}.{kind}"),
                name=HEADLINE_TABLES,
                kind=["parquet", "csv", "tex"],
            ),
            "Headline",
        ),
        figures=shown(
            expand(
                out("figures/{name}.{kind}"),
                name=HEADLINE_FIGURES,
                kind=["svg", "png", "csv"],
            ),
            "Headline",
        ),
        funnel=out("funnel.csv"),
        funnel_table=out("analysis/funnel.parquet"),
        warnings=out("analysis/warnings.json"),
    log:
        out("logs/headline.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("headline"),
        code=code("headline"),
        facts=facts("bootstrap"),
        rejected=f"--rejected {out('validation/rejected.parquet')}" if VALIDATED else "",
        folder=lambda wildcards, output: run_folder(output),
    shell:
        "{params.command} --stereotypes {input.stereotypes:q} --sets {input.sets:q}"
        " --candidates {input.candidates:q} --variants {input.variants:q} --alternates {input.alternates:q}"
        " --augmented {input.augmented:q} --measures {input.measures:q} --set-measures {input.set_measures:q}"
        " --facts {params.facts:q} {params.rejected} --folder {params.folder:q} --log {log:q}"
