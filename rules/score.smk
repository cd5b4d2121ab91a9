# Sentences -> scores of each model -> its measures.


rule plan_score:
    input:
        sentences=out("sentences.parquet"),
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
        context=lambda wildcards: slice_of(configs.contexts(CONFIG)),  # a function: its text may hold braces
    shell:
        "{params.command} --stage score --model {wildcards.model} --entry {params.entry:q}"
        " {resources.execution} --context {params.context:q}"
        " --sentences {input.sentences:q} --out {output:q} --log {log:q}"


rule score_shard:
    input:
        sentences=out("sentences.parquet"),
        plan=rules.plan_score.output[0],
    output:
        out("plans/score/{model}.shards/{i}-of-{n}.json"),
    log:
        out("logs/score_shard/{model}/{i}-of-{n}.log"),
    benchmark:
        out("benchmarks/score_shard/{model}/{i}-of-{n}.tsv")
    wildcard_constraints:
        i=r"[1-9][0-9]*",
        n=r"[1-9][0-9]*",
    conda:
        environment_of
    threads: CONFIG.execution.threads
    resources:
        execution=running_score,
        gpu=gpus,
        runtime=minutes,
        mem_mb=megabytes,
    params:
        command=lambda wildcards: command("score_shard", wildcards.model),
        code=code("score_shard"),
        entry=lambda wildcards: entry(wildcards.model),
        context=lambda wildcards: slice_of(configs.contexts(CONFIG)),  # a function: its text may hold braces
    shell:
        "{params.command} --stage score --model {wildcards.model} --entry {params.entry:q}"
        " {resources.execution} --plan {input.plan:q} --threads {threads}"
        " --context {params.context:q} --shard {wildcards.i}-of-{wildcards.n}"
        " --sentences {input.sentences:q} --out {output:q} --log {log:q}"


rule score_model:
    input:
        sentences=out("sentences.parquet"),
        plan=rules.plan_score.output[0],
        shards=shard_notes,
    output:
        out("scores/{model}.parquet"),
    log:
        out("logs/score_model/{model}.log"),
    benchmark:
        out("benchmarks/score_model/{model}.tsv")
    conda:
        environment_of
    threads: cores
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
        tokens="on" if CONFIG.scoring.token_columns or CONFIG.scoring.scope == "divergent" else "off",
    shell:
        "{params.command} --stage score --model {wildcards.model} --entry {params.entry:q}"
        " {resources.execution} --plan {input.plan:q} --shards {input.shards:q} --threads {threads}"
        " --context {params.context:q} --tokens {params.tokens}"
        " --sentences {input.sentences:q} --out {output:q} --log {log:q}"


rule measure_model:
    input:
        augmented=out("augmented.parquet"),
        sentences=out("sentences.parquet"),
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
        settings=slice_of({name: getattr(CONFIG.scoring, name) for name in ["normalisation", "scope", "tie"]}),
    shell:
        "{params.command} --augmented {input.augmented:q} --sentences {input.sentences:q}"
        " --scores {input.scores:q} --settings {params.settings:q} --out-measures {output.measures:q}"
        " --out-set-measures {output.set_measures:q} --log {log:q}"
