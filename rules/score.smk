# Sentences -> scores of each model -> its measures.


rule plan_score:
    input:
        sentences=rules.augment.output.sentences,
        model=out("models/{model}.json"),
    output:
        out("plans/score/{model}.json"),
    log:
        out("logs/plan_score/{model}.log"),
    conda:
        "../envs/main.yaml"
    resources:
        execution=planning("score"),
    params:
        command=command("plan_score"),
        code=code("plan_score"),
        entry=lambda wildcards: entry(wildcards.model),
    shell:
        "{params.command} --stage score --model {wildcards.model} --entry {params.entry:q}"
        " {resources.execution}"
        " --sentences {input.sentences:q} --out {output:q} --log {log:q}"


rule score_model:
    input:
        sentences=rules.augment.output.sentences,
        plan=rules.plan_score.output[0],
    output:
        out("scores/{model}.parquet"),
    log:
        out("logs/score_model/{model}.log"),
    benchmark:
        out("benchmarks/score_model/{model}.tsv")
    conda:
        "../envs/main.yaml"
    threads: CONFIG.execution.threads
    resources:
        execution=running(),
        gpu=gpus,
        runtime=minutes,
        mem_mb=megabytes,
    params:
        command=command("score_model"),
        code=code("score_model"),
        entry=lambda wildcards: entry(wildcards.model),
    shell:
        "{params.command} --stage score --model {wildcards.model} --entry {params.entry:q}"
        " {resources.execution} --plan {input.plan:q} --threads {threads}"
        ""
        " --sentences {input.sentences:q} --out {output:q} --log {log:q}"


rule measure_model:
    input:
        augmented=rules.augment.output.augmented,
        sentences=rules.augment.output.sentences,
        scores=rules.score_model.output[0],
    output:
        measures=out("measures/{model}.parquet"),
        set_measures=out("set_measures/{model}.parquet"),
    log:
        out("logs/measure_model/{model}.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("measure_model"),
        code=code("measure_model"),
        settings=slice_of(CONFIG.scoring),
    shell:
        "{params.command} --augmented {input.augmented:q} --sentences {input.sentences:q}"
        " --scores {input.scores:q} --settings {params.settings:q} --out-measures {output.measures:q}"
        " --out-set-measures {output.set_measures:q} --log {log:q}"
