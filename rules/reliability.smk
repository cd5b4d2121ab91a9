# Measures and wordings -> split-half reliability, robustness to wording, Self-BLEU.
from dualpair.stages import bertscore

RELIABILITY_TABLES = [
    "split_half",
    "split_half_languages",
    "wording",
    "wording_summary",
    "self_bleu",
]
RELIABILITY_DATA = ["wording_pairs", "self_bleu_sets"]
RELIABILITY_FIGURES = ["split_half", "wording_tau", "self_bleu"]
BERTSCORE = CONFIG.analysis.wording.bertscore

try:
    BERTSCORE_MODEL = None if BERTSCORE is None else bertscore.entry_of(BERTSCORE, CONFIG.models)
except InputError as error:
    raise WorkflowError(str(error))


if BERTSCORE is not None:

    rule bertscore:
        input:
            augmented=out("augmented.parquet"),
            model=(
                out(f"models/{BERTSCORE}.json")
                if BERTSCORE in CONFIG.models
                else [str(path) for path in bertscore.files(BERTSCORE)]
            ),
        output:
            out("analysis/bertscores.parquet"),
        log:
            out("logs/bertscore.log"),
        benchmark:
            out("benchmarks/bertscore.tsv")
        conda:
            "../envs/main.yaml"
        threads: CONFIG.execution.threads
        resources:
            execution=f"--device {CONFIG.execution.device} --hub {'off' if CONFIG.offline else 'on'}",
            gpu=BERTSCORE_MODEL.gpus,
        params:
            command=command("bertscore"),
            code=code("bertscore"),
            entry=entry(BERTSCORE) if BERTSCORE in CONFIG.models else slice_of(BERTSCORE_MODEL),
            model=BERTSCORE,
        shell:
            "{params.command} --augmented {input.augmented:q} --model {params.model:q} --entry {params.entry:q}"
            " {resources.execution} --threads {threads} --out {output:q} --log {log:q}"


rule reliability:
    input:
        augmented=out("augmented.parquet"),
        variants=out("variants.parquet"),
        measures=expand(out("measures/{model}.parquet"), model=CONFIG.roles.score),
        bertscores=[] if BERTSCORE is None else out("analysis/bertscores.parquet"),
    output:
        tables=shown(
            expand(
                out("analysis/{name}.{kind}"),
                name=RELIABILITY_TABLES,
                kind=["parquet", "csv", "tex"],
            ),
            "Reliability",
        ),
        data=expand(
            out("analysis/{name}.{kind}"),
            name=RELIABILITY_DATA,
            kind=["parquet", "csv"],
        ),
        figures=shown(
            expand(
                out("figures/{name}.{kind}"),
                name=RELIABILITY_FIGURES,
                kind=["svg", "png", "csv"],
            ),
            "Reliability",
        ),
    log:
        out("logs/reliability.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("reliability"),
        code=code("reliability"),
        facts=facts("bootstrap", "split_half", "wording"),
        bertscores="" if BERTSCORE is None else f"--bertscores {out('analysis/bertscores.parquet')}",
        folder=lambda wildcards, output: run_folder(output),
    shell:
        "{params.command} --augmented {input.augmented:q} --variants {input.variants:q}"
        " --measures {input.measures:q} {params.bertscores} --facts {params.facts:q}"
        " --folder {params.folder:q} --log {log:q}"
