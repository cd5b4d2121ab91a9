# Thresholds applied to judgements: cheap, no model.


rule select_variants:
    input:
        sets=rules.parse.output[0],
        candidates=out("candidates/paraphrase.parquet"),
        similarity=out("judgements/paraphrase/similarity.parquet"),
        nli=out("judgements/paraphrase/nli.parquet"),
        grammar=out("judgements/paraphrase/grammar.parquet"),
    output:
        out("variants.parquet"),
    log:
        out("logs/select_variants.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("select_variants"),
        code=code("select_variants"),
        thresholds=thresholds(),
        limit=(f"--max-paraphrases {CONFIG.filters.max_paraphrases}" if CONFIG.filters.max_paraphrases else ""),
    shell:
        "{params.command} --sets {input.sets:q} --candidates {input.candidates:q}"
        " --similarity {input.similarity:q} --nli {input.nli:q} --grammar {input.grammar:q}"
        " --thresholds {params.thresholds:q} {params.limit}"
        " --out {output:q} --log {log:q}"


rule select_alternates:
    input:
        variants=rules.select_variants.output[0],
        candidates=rounds("candidates/{task}.parquet"),
        similarity=rounds("judgements/{task}/similarity.parquet"),
        nli=rounds("judgements/{task}/nli.parquet"),
        grammar=rounds("judgements/{task}/grammar.parquet"),
    output:
        out("alternates.parquet"),
    log:
        out("logs/select_alternates.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("select_alternates"),
        code=code("select_alternates"),
        thresholds=thresholds(),
    shell:
        "{params.command} --variants {input.variants:q}"
        " --candidates {input.candidates:q} --similarity {input.similarity:q} --nli {input.nli:q} --grammar {input.grammar:q}"
        " --thresholds {params.thresholds:q} --out {output:q} --log {log:q}"


rule augment:
    input:
        sets=rules.parse.output[0],
        variants=rules.select_variants.output[0],
        alternates=rules.select_alternates.output[0],
    output:
        augmented=unvalidated("augmented.parquet"),
        sentences=unvalidated("sentences.parquet"),
    log:
        out("logs/augment.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("augment"),
        code=code("augment"),
    shell:
        "{params.command} --sets {input.sets:q} --variants {input.variants:q}"
        " --alternates {input.alternates:q} --out-augmented {output.augmented:q}"
        " --out-sentences {output.sentences:q} --log {log:q}"


rule yields:
    input:
        variants=rules.select_variants.output[0],
        candidates=[out("candidates/paraphrase.parquet"), *rounds("candidates/{task}.parquet")],
        similarity=[
            out("judgements/paraphrase/similarity.parquet"),
            *rounds("judgements/{task}/similarity.parquet"),
        ],
        nli=[out("judgements/paraphrase/nli.parquet"), *rounds("judgements/{task}/nli.parquet")],
        grammar=[
            out("judgements/paraphrase/grammar.parquet"),
            *rounds("judgements/{task}/grammar.parquet"),
        ],
    output:
        table=out("analysis/yields.parquet"),
        csv=out("analysis/yields.csv"),
    log:
        out("logs/yields.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("yields"),
        code=code("yields"),
        thresholds=thresholds(),
    shell:
        "{params.command} --variants {input.variants:q} --candidates {input.candidates:q}"
        " --similarity {input.similarity:q} --nli {input.nli:q} --grammar {input.grammar:q}"
        " --thresholds {params.thresholds:q} --out {output.table:q} --log {log:q}"
