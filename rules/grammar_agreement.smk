# Grammar engine agreement: the predicate against the head of every group. Parsing is cheap, so that nothing is stored.


rule judge_agreement:
    input:
        candidates=rules.collect_candidates.output[0],
        sources=out("sources/{task}.parquet"),
        lists=agreement_files(),
    output:
        out("judgements/{task}/grammar/agreement.parquet"),
    log:
        out("logs/judge_agreement/{task}.log"),
    benchmark:
        out("benchmarks/judge_agreement/{task}.tsv")
    conda:
        "../envs/parse.yaml"
    params:
        command=command("judge_agreement"),
        code=code("judge_agreement"),
        languages=grammar_languages(grammar_engines.AGREEMENT),
        engines=slice_of(agreement_parsers()),
        fingerprint=slice_of(agreement_fingerprints()),
        models=("" if CONFIG.parse.models == "embedded" else f"--models {CONFIG.parse.models}"),
    shell:
        "{params.command} --candidates {input.candidates:q} --sources {input.sources:q} --languages {params.languages:q}"
        " --engines {params.engines:q} {params.models} --fingerprint {params.fingerprint:q} --out {output:q} --log {log:q}"
