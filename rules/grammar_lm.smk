# Grammar engine lm: how much less likely a candidate is than its source, under a causal model.


rule plan_grammar_lm:
    input:
        candidates=rules.collect_candidates.output[0],
        sources=out("sources/{task}.parquet"),
        model=out("models/{model}.json"),
    output:
        out("plans/grammar-{task}/{model}.json"),
    log:
        out("logs/plan_grammar_lm/{task}/{model}.log"),
    conda:
        "../envs/main.yaml"
    resources:
        execution=planning("score"),
    params:
        command=command("plan_grammar_lm"),
        code=code("plan_grammar_lm"),
        entry=lambda wildcards: entry(wildcards.model),
        languages=grammar_languages(grammar_engines.LM),
    shell:
        "{params.command} --stage grammar-{wildcards.task} --model {wildcards.model}"
        " --entry {params.entry:q} {resources.execution} --languages {params.languages:q}"
        " --candidates {input.candidates:q} --sources {input.sources:q} --out {output:q} --log {log:q}"


rule judge_grammar_lm:
    input:
        candidates=rules.collect_candidates.output[0],
        sources=out("sources/{task}.parquet"),
        plan=out(f"plans/grammar-{{task}}/{CONFIG.filters.grammar.lm_model}.json"),
    output:
        out("judgements/{task}/grammar/lm.parquet"),
    log:
        out("logs/judge_grammar_lm/{task}.log"),
    benchmark:
        out("benchmarks/judge_grammar_lm/{task}.tsv")
    conda:
        "../envs/main.yaml"
    threads: CONFIG.execution.threads
    resources:
        execution=running(),
        gpu=lambda wildcards, input: (CONFIG.models[CONFIG.filters.grammar.lm_model].gpus if missing(input) else 0),
    params:
        command=command("judge_grammar_lm"),
        code=code("judge_grammar_lm"),
        entry=entry(CONFIG.filters.grammar.lm_model),
        model=CONFIG.filters.grammar.lm_model,
        languages=grammar_languages(grammar_engines.LM),
    shell:
        "{params.command} --stage grammar-{wildcards.task} --model {params.model}"
        " --entry {params.entry:q} {resources.execution} --plan {input.plan:q}"
        " --threads {threads} --languages {params.languages:q}"
        " --candidates {input.candidates:q} --sources {input.sources:q} --out {output:q} --log {log:q}"
