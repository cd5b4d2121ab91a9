# A source that holds the dual pairs already: in place of parsing, generation, judging and selection.


rule augment:
    input:
        files=source_inputs(),
    output:
        stereotypes=out("stereotypes.parquet"),
        sets=out("sets.parquet"),
        paraphrases=out("candidates/paraphrase.parquet"),
        opposites=out("candidates/alternate-1.parquet"),
        variants=out("variants.parquet"),
        alternates=out("alternates.parquet"),
        augmented=unvalidated("augmented.parquet"),
        sentences=unvalidated("sentences.parquet"),
    log:
        out("logs/augment.log"),
    conda:
        "../envs/main.yaml"
    params:
        command=command("import_augmented"),
        code=code("import_augmented"),
        # Functions, because their texts may hold braces ({lang}, {sentence}), which are no wildcards.
        settings=lambda wildcards: slice_of(CONFIG.source),
        languages=list(SOURCE_FILES),
        files=lambda wildcards: list(SOURCE_FILES.values()),
    shell:
        "{params.command} --settings {params.settings:q} --languages {params.languages:q} --files {params.files:q}"
        " --out-stereotypes {output.stereotypes:q} --out-sets {output.sets:q}"
        " --out-paraphrases {output.paraphrases:q} --out-opposites {output.opposites:q}"
        " --out-variants {output.variants:q} --out-alternates {output.alternates:q}"
        " --out-augmented {output.augmented:q} --out-sentences {output.sentences:q} --log {log:q}"
