# Sources of a task -> answers of its models -> distinct candidates.


rule list_paraphrase_sources:
    input:
        sets=rules.parse.output[0],
    output:
        out("sources/paraphrase.parquet"),
    log:
        out("logs/list_sources/paraphrase.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("list_sources"),
        code=code("list_sources"),
    shell:
        "{params.command} --sets {input.sets:q} --thresholds '{{}}' --out {output:q} --log {log:q}"


rule list_alternate_sources:
    input:
        sets=rules.parse.output[0],
        variants=out("variants.parquet"),
        candidates=earlier_rounds("candidates/{task}.parquet"),
        similarity=earlier_rounds("judgements/{task}/similarity.parquet"),
        nli=earlier_rounds("judgements/{task}/nli.parquet"),
        grammar=earlier_rounds("judgements/{task}/grammar.parquet"),
    output:
        out("sources/alternate-{round}.parquet"),
    log:
        out("logs/list_sources/alternate-{round}.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("list_sources"),
        code=code("list_sources"),
        thresholds=thresholds(),
    shell:
        "{params.command} --sets {input.sets:q} --variants {input.variants:q}"
        " --candidates {input.candidates:q} --similarity {input.similarity:q} --nli {input.nli:q} --grammar {input.grammar:q}"
        " --thresholds {params.thresholds:q} --out {output:q} --log {log:q}"


rule plan_generate:
    input:
        sources=out("sources/{task}.parquet"),
        model=out("models/{model}.json"),
        prompts=lambda wildcards: or_refused(
            out("plans/{task}/{model}.json").format(**wildcards), prompt_files, wildcards.task
        ),
    output:
        out("plans/{task}/{model}.json"),
    log:
        out("logs/plan_generate/{task}/{model}.log"),
    conda:
        "../envs/main.yaml"
    resources:
        execution=planning("generation"),
    params:
        command=command("plan_generate"),
        code=code("plan_generate"),
        entry=lambda wildcards: entry(wildcards.model),
        settings=lambda wildcards: generation_settings(wildcards.task),
        prompts=lambda wildcards: contents(prompt_files(wildcards.task)),
        seed=CONFIG.seed,
    shell:
        "{params.command} --stage {wildcards.task} --task {wildcards.task}"
        " --model {wildcards.model} --entry {params.entry:q} {resources.execution} --sources {input.sources:q}"
        " --settings {params.settings:q} --seed {params.seed} --out {output:q} --log {log:q}"


rule generate:
    input:
        sources=out("sources/{task}.parquet"),
        plan=rules.plan_generate.output[0],
        prompts=lambda wildcards: or_refused(
            out("generations/{task}/{model}.parquet").format(**wildcards), prompt_files, wildcards.task
        ),
    output:
        out("generations/{task}/{model}.parquet"),
    log:
        out("logs/generate/{task}/{model}.log"),
    benchmark:
        out("benchmarks/generate/{task}/{model}.tsv")
    conda:
        environment_of
    threads: CONFIG.execution.threads
    resources:
        execution=running_score,
        gpu=gpus,
        runtime=minutes,
        mem_mb=megabytes,
    params:
        command=lambda wildcards: command("generate", wildcards.model),
        code=code("generate"),
        entry=lambda wildcards: entry(wildcards.model),
        settings=lambda wildcards: generation_settings(wildcards.task),
        prompts=lambda wildcards: contents(prompt_files(wildcards.task)),
        seed=CONFIG.seed,
    shell:
        "{params.command} --stage {wildcards.task} --task {wildcards.task}"
        " --model {wildcards.model} --entry {params.entry:q} {resources.execution}"
        " --plan {input.plan:q} --threads {threads}"
        " --sources {input.sources:q}"
        " --settings {params.settings:q} --seed {params.seed} --out {output:q} --log {log:q}"


rule collect_candidates:
    input:
        sources=out("sources/{task}.parquet"),
        sets=rules.parse.output[0],
        generations=lambda wildcards: [
            out(f"generations/{wildcards.task}/{model}.parquet") for model in task_models(wildcards.task)
        ],
        word_lists=lambda wildcards: or_refused(out("candidates/{task}.parquet").format(**wildcards), word_list_files),
    output:
        out("candidates/{task}.parquet"),
    log:
        out("logs/collect_candidates/{task}.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("collect_candidates"),
        code=code("collect_candidates"),
        settings=lambda wildcards: collection_settings(wildcards.task),
        word_lists=lambda wildcards: contents(word_list_files()),
    shell:
        "{params.command} --task {wildcards.task} --sources {input.sources:q}"
        " --sets {input.sets:q} --generations {input.generations:q} --settings {params.settings:q}"
        " --out {output:q} --log {log:q}"
