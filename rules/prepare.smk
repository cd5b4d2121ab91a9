# Source files -> stereotypes -> sets; models made ready.


rule fetch_model:
    output:
        out("models/{model}.json"),
    log:
        out("logs/fetch_model/{model}.log"),
    conda:
        "../envs/main.yaml"
    threads: CONFIG.execution.threads
    resources:
        hub=f"--hub {'off' if CONFIG.offline else 'on'}",
    params:
        command=command("fetch_model"),
        code=code("fetch_model"),
        entry=lambda wildcards: entry(wildcards.model),
    shell:
        "{params.command} --model {wildcards.model} --entry {params.entry:q} {resources.hub} --out {output:q} --log {log:q}"


if not IMPORTED:

    rule stereotypes:
        input:
            files=source_inputs(),
        output:
            out("stereotypes.parquet"),
        log:
            out("logs/stereotypes.log"),
        conda:
            "../envs/main.yaml"
        params:
            command=command("stereotypes"),
            code=code("stereotypes"),
            # Functions, because their texts may hold braces ({lang}, {sentence}), which are no wildcards.
            settings=lambda wildcards: slice_of(CONFIG.source),
            languages=list(SOURCE_FILES),
            files=lambda wildcards: list(SOURCE_FILES.values()),
        shell:
            "{params.command} --settings {params.settings:q} --languages {params.languages:q}"
            " --files {params.files:q} --out {output:q} --log {log:q}"

    rule parse:
        input:
            stereotypes=rules.stereotypes.output[0],
        output:
            out("sets.parquet"),
        log:
            out("logs/parse.log"),
        conda:
            "../envs/parse.yaml"
        params:
            command=command("parse"),
            code=code("parse"),
            engines=slice_of({lang: CONFIG.parse.engine[lang] for lang in CONFIG.languages}),
            fingerprint=slice_of(parser_fingerprints()),
            models=("" if CONFIG.parse.models == "embedded" else f"--models {CONFIG.parse.models}"),
            repair=CONFIG.parse.repair,
        shell:
            "{params.command} --stereotypes {input.stereotypes:q} --engines {params.engines:q} --fingerprint {params.fingerprint:q}"
            " {params.models} --repair {params.repair} --out {output:q} --log {log:q}"
