# Measures -> paired comparisons of models, base against instruct, trends over sizes and checkpoints.

COMPARED = ["comparison", "comparison_detectable", "tuning", "trends"]
COMPARISON_FIGURES = expand(
    "{analysis}_{metric}",
    analysis=["comparison", "tuning", "trends"],
    metric=["I_GxA", "absB_avg", "B_GxA", "contradiction"],
)


rule comparison:
    input:
        set_measures=expand(out("set_measures/{model}.parquet"), model=CONFIG.roles.score),
    output:
        tables=shown(
            expand(out("analysis/{name}.{kind}"), name=COMPARED, kind=["parquet", "csv", "tex"]), "Comparing models"
        ),
        figures=shown(
            expand(
                out("figures/{name}.{kind}"),
                name=COMPARISON_FIGURES,
                kind=["svg", "png", "csv"],
            ),
            "Comparing models",
        ),
    log:
        out("logs/comparison.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("comparison"),
        code=code("comparison"),
        facts=facts("bootstrap", "comparison"),
        folder=lambda wildcards, output: run_folder(output),
    shell:
        "{params.command} --set-measures {input.set_measures:q} --facts {params.facts:q}"
        " --folder {params.folder:q} --log {log:q}"
