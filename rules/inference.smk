# Measures -> change across languages, analysis of variance and mixed models.

INFERRED = [
    "across_languages",
    "across_languages_types",
    "anova",
    "anova_levels",
    "anova_mixed",
    "anova_variances",
]
INFERENCE_FIGURES = ["across_languages", "across_languages_types", "anova"]


rule inference:
    input:
        set_measures=expand(out("set_measures/{model}.parquet"), model=CONFIG.roles.score),
    output:
        tables=shown(
            expand(out("analysis/{name}.{kind}"), name=INFERRED, kind=["parquet", "csv", "tex"]),
            "Languages and variance",
        ),
        figures=shown(
            expand(
                out("figures/{name}.{kind}"),
                name=INFERENCE_FIGURES,
                kind=["svg", "png", "csv"],
            ),
            "Languages and variance",
        ),
    log:
        out("logs/inference.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("inference"),
        code=code("inference"),
        facts=facts("bootstrap", "anchor", "anova", "comparison"),
        folder=lambda wildcards, output: run_folder(output),
    shell:
        "{params.command} --set-measures {input.set_measures:q} --facts {params.facts:q}"
        " --folder {params.folder:q} --log {log:q}"
