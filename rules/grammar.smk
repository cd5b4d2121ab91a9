# Candidates -> what each grammar engine finds with every group -> one table. With `engines: none` it is empty.

GRAMMAR = grammar_settings.used(CONFIG.filters.grammar, CONFIG.languages)


if grammar_engines.LANGUAGETOOL in GRAMMAR:

    rule fetch_languagetool:
        output:
            out("models/grammar/languagetool.json"),
        log:
            out("logs/fetch_languagetool.log"),
        priority: 100  # what is missing is told before anything is generated
        conda:
            "../envs/main.yaml"
        resources:
            execution=languagetool_hub(),
        params:
            command=command("fetch_languagetool"),
            code=code("fetch_languagetool"),
            settings=slice_of(languagetool_settings()),
            languages=grammar_languages(grammar_engines.LANGUAGETOOL),
        shell:
            "{params.command} --settings {params.settings:q} --languages {params.languages:q} {resources.execution}"
            " --out {output:q} --log {log:q}"

    rule judge_languagetool:
        input:
            ready=rules.fetch_languagetool.output[0],
            candidates=rules.collect_candidates.output[0],
            sources=out("sources/{task}.parquet"),
            categories=grammar_categories(),
        output:
            out("judgements/{task}/grammar/languagetool.parquet"),
        log:
            out("logs/judge_languagetool/{task}.log"),
        benchmark:
            out("benchmarks/judge_languagetool/{task}.tsv")
        conda:
            "../envs/main.yaml"
        threads: CONFIG.execution.threads
        resources:
            execution=running_languagetool(),
            mem_mb=1000 + CONFIG.filters.grammar.languagetool.memory_mb,
        params:
            command=command("judge_languagetool"),
            code=code("judge_languagetool"),
            settings=slice_of(languagetool_settings()),
            languages=grammar_languages(grammar_engines.LANGUAGETOOL),
        shell:
            "{params.command} --candidates {input.candidates:q} --sources {input.sources:q}"
            " --settings {params.settings:q} --languages {params.languages:q} {resources.execution}"
            " --out {output:q} --log {log:q}"


if grammar_engines.LM in GRAMMAR:

    include: "grammar_lm.smk"


if grammar_engines.AGREEMENT in GRAMMAR:

    include: "grammar_agreement.smk"


rule judge_grammar:
    input:
        candidates=rules.collect_candidates.output[0],
        sources=out("sources/{task}.parquet"),
        judgements=expand(out("judgements/{{task}}/grammar/{engine}.parquet"), engine=GRAMMAR),
    output:
        out("judgements/{task}/grammar.parquet"),
    log:
        out("logs/judge_grammar/{task}.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("judge_grammar"),
        code=code("judge_grammar"),
        engines=slice_of(grammar_rules()["engines"]),
    shell:
        "{params.command} --candidates {input.candidates:q} --sources {input.sources:q}"
        " --judgements {input.judgements:q} --engines {params.engines:q} --out {output:q} --log {log:q}"
