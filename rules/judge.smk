# Candidates -> the numbers of the judging models; no decision is taken here.


rule plan_similarity:
    input:
        candidates=rules.collect_candidates.output[0],
        sources=out("sources/{task}.parquet"),
        model=out("models/{model}.json"),
    output:
        out("plans/similarity-{task}/{model}.json"),
    log:
        out("logs/plan_similarity/{task}/{model}.log"),
    conda:
        "../envs/main.yaml"
    resources:
        execution=planning("similarity"),
    params:
        command=command("plan_similarity"),
        code=code("plan_similarity"),
        entry=lambda wildcards: entry(wildcards.model),
    shell:
        "{params.command} --stage similarity-{wildcards.task} --model {wildcards.model}"
        " --entry {params.entry:q} {resources.execution} --candidates {input.candidates:q}"
        " --sources {input.sources:q} --out {output:q} --log {log:q}"


rule judge_similarity:
    input:
        candidates=rules.collect_candidates.output[0],
        sources=out("sources/{task}.parquet"),
        plan=out(f"plans/similarity-{{task}}/{CONFIG.roles.similarity}.json"),
    output:
        out("judgements/{task}/similarity.parquet"),
    log:
        out("logs/judge_similarity/{task}.log"),
    benchmark:
        out("benchmarks/judge_similarity/{task}.tsv")
    conda:
        "../envs/main.yaml"
    threads: CONFIG.execution.threads
    resources:
        execution=running(),
        gpu=lambda wildcards, input: (CONFIG.models[CONFIG.roles.similarity].gpus if missing(input) else 0),
    params:
        command=command("judge_similarity"),
        code=code("judge_similarity"),
        entry=entry(CONFIG.roles.similarity),
        model=CONFIG.roles.similarity,
    shell:
        "{params.command} --stage similarity-{wildcards.task} --model {params.model}"
        " --entry {params.entry:q} {resources.execution} --plan {input.plan:q}"
        " --threads {threads}"
        " --candidates {input.candidates:q}"
        " --sources {input.sources:q} --out {output:q} --log {log:q}"


rule plan_nli:
    input:
        candidates=rules.collect_candidates.output[0],
        sources=out("sources/{task}.parquet"),
        similarity=similarity_first,
        grammar=rules.judge_grammar.output[0],
        originals=originals_too,
        model=out("models/{model}.json"),
    output:
        out("plans/nli-{task}/{model}.json"),
    log:
        out("logs/plan_nli/{task}/{model}.log"),
    conda:
        "../envs/main.yaml"
    resources:
        execution=planning("nli"),
    params:
        command=command("plan_nli"),
        code=code("plan_nli"),
        entry=lambda wildcards: entry(wildcards.model),
        first=threshold_first,
        originals=against_originals,
        grammar=slice_of(grammar_rules()),
    shell:
        "{params.command} --stage nli-{wildcards.task} --model {wildcards.model}"
        " --entry {params.entry:q} {resources.execution} --candidates {input.candidates:q}"
        " --sources {input.sources:q} {params.first} {params.originals} --grammar {input.grammar:q}"
        " --grammar-rules {params.grammar:q} --out {output:q} --log {log:q}"


rule judge_nli:
    input:
        candidates=rules.collect_candidates.output[0],
        sources=out("sources/{task}.parquet"),
        similarity=similarity_first,
        grammar=rules.judge_grammar.output[0],
        originals=originals_too,
        plan=out(f"plans/nli-{{task}}/{CONFIG.roles.nli}.json"),
    output:
        out("judgements/{task}/nli.parquet"),
    log:
        out("logs/judge_nli/{task}.log"),
    benchmark:
        out("benchmarks/judge_nli/{task}.tsv")
    conda:
        "../envs/main.yaml"
    threads: CONFIG.execution.threads
    resources:
        execution=running(),
        gpu=lambda wildcards, input: (CONFIG.models[CONFIG.roles.nli].gpus if missing(input) else 0),
    params:
        command=command("judge_nli"),
        code=code("judge_nli"),
        entry=entry(CONFIG.roles.nli),
        model=CONFIG.roles.nli,
        first=threshold_first,
        originals=against_originals,
        grammar=slice_of(grammar_rules()),
    shell:
        "{params.command} --stage nli-{wildcards.task} --model {params.model}"
        " --entry {params.entry:q} {resources.execution} --plan {input.plan:q}"
        " --threads {threads}"
        " --candidates {input.candidates:q}"
        " --sources {input.sources:q} {params.first} {params.originals} --grammar {input.grammar:q}"
        " --grammar-rules {params.grammar:q} --out {output:q} --log {log:q}"
