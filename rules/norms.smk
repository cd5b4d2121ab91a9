# Concepts with opposite features -> their sentences -> scores -> q, ROC-AUC, figures.
from dualpair.norms import settings as norms_settings

if CONFIG.norms is not None:

    NORMS_LANGUAGES = norms_settings.languages_of(CONFIG.norms, CONFIG.languages)
    try:
        NORMS_FILES = norms_settings.files(CONFIG.norms, NORMS_LANGUAGES)
    except InputError as error:
        raise WorkflowError(str(error))
    NORMS_TABLES = ["norms_auc", "norms_q", "norms_tuning"]
    NORMS_FIGURES = ["norms_q", "norms_auc"]

    localrules:
        norms,

    rule norms_sentences:
        input:
            norms=os.path.relpath(NORMS_FILES.norms) if NORMS_FILES.norms else [],
            pairs=os.path.relpath(NORMS_FILES.pairs) if NORMS_FILES.pairs else [],
        output:
            concepts=out("norms/concepts.parquet"),
            sentences=out("norms/sentences.parquet"),
        log:
            out("logs/norms_sentences.log"),
        conda:
            "../envs/main.yaml"
        params:
            command=command("norms_sentences"),
            code=code("norms_sentences"),
            languages=lambda wildcards: slice_of(NORMS_LANGUAGES),
            limit=slice_of(CONFIG.norms.limit),
            source=CONFIG.norms.source,
            words=contents(NORMS_FILES.resources),
            files=lambda wildcards, input: (
                f"--file {shlex.quote(str(input.norms))} --pairs {shlex.quote(str(input.pairs))}"
                if input.norms
                else ""
            ),
        shell:
            "{params.command} --source {params.source} --languages {params.languages:q} --limit {params.limit}"
            " {params.files} --out-concepts {output.concepts:q} --out-sentences {output.sentences:q} --log {log:q}"

    rule plan_norms:
        input:
            sentences=rules.norms_sentences.output.sentences,
            model=out("models/{model}.json"),
        output:
            out("plans/norms/{model}.json"),
        log:
            out("logs/plan_norms/{model}.log"),
        conda:
            "../envs/main.yaml"
        resources:
            execution=planning("score"),
        params:
            command=command("plan_score"),
            code=code("plan_score"),
            entry=lambda wildcards: entry(wildcards.model),
            context=lambda wildcards: slice_of(configs.contexts(CONFIG)),  # a function: its text may hold braces
        shell:
            "{params.command} --stage norms --model {wildcards.model} --entry {params.entry:q}"
            " {resources.execution} --context {params.context:q}"
            " --sentences {input.sentences:q} --out {output:q} --log {log:q}"

    rule score_norms:
        input:
            sentences=rules.norms_sentences.output.sentences,
            plan=rules.plan_norms.output[0],
        output:
            out("norms/scores/{model}.parquet"),
        log:
            out("logs/score_norms/{model}.log"),
        benchmark:
            out("benchmarks/score_norms/{model}.tsv")
        conda:
            environment_of
        threads: CONFIG.execution.threads
        resources:
            execution=running_score,
            gpu=gpus,
            runtime=minutes,
            mem_mb=megabytes,
        params:
            command=lambda wildcards: command("score_model", wildcards.model),
            code=code("score_model"),
            entry=lambda wildcards: entry(wildcards.model),
            context=lambda wildcards: slice_of(configs.contexts(CONFIG)),  # a function: its text may hold braces
        shell:
            "{params.command} --stage norms --model {wildcards.model} --entry {params.entry:q}"
            " {resources.execution} --plan {input.plan:q} --threads {threads} --context {params.context:q}"
            " --sentences {input.sentences:q} --out {output:q} --log {log:q}"

    rule norms_auc:
        input:
            concepts=rules.norms_sentences.output.concepts,
            sentences=rules.norms_sentences.output.sentences,
            scores=expand(out("norms/scores/{model}.parquet"), model=CONFIG.roles.score),
        output:
            tables=shown(
                expand(out("analysis/{name}.{kind}"), name=NORMS_TABLES, kind=["parquet", "csv", "tex"]),
                "Feature norms",
            ),
            figures=shown(
                expand(out("figures/{name}.{kind}"), name=NORMS_FIGURES, kind=["svg", "png", "csv"]), "Feature norms"
            ),
            scored=out("norms/items.parquet"),
            auc=out("norms/auc.parquet"),
        log:
            out("logs/norms_auc.log"),
        conda:
            "../envs/main.yaml"
        params:
            command=command("norms"),
            code=code("norms"),
            normalisation=CONFIG.scoring.normalisation,
            scope=CONFIG.scoring.scope,
            facts=facts("bootstrap"),
            folder=lambda wildcards, output: run_folder(output),
        shell:
            "{params.command} --concepts {input.concepts:q} --sentences {input.sentences:q} --scores {input.scores:q}"
            " --normalisation {params.normalisation} --scope {params.scope} --facts {params.facts:q}"
            " --folder {params.folder:q} --log {log:q}"

    rule norms:
        input:
            rules.norms_auc.output,

else:

    rule norms:
        input:
            no_norms,
