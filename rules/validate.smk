# Selection -> sheets that native speakers fill in; what comes back -> rates, agreement, curves.


rule sheets:
    input:
        sets=out("sets.parquet"),
        variants=out("variants.parquet"),
        alternates=out("alternates.parquet"),
    output:
        out("sheets.json"),
    log:
        out("logs/sheets.log"),
    conda:
        "../envs/main.yaml"
    resources:
        execution=f"--store {shlex.quote(str(STORE))} --device {CONFIG.execution.device}",
    params:
        command=command("sheets"),
        code=code("sheets"),
        similarity=mismatch_check(),
        settings=slice_of(
            CONFIG.validation.model_dump(
                include={"accepted", "mismatched", "below_threshold", "balance", "annotators"}
            )
        ),
        instructions=lambda wildcards: slice_of(sheet_instructions()),
        seed=CONFIG.seed,
        folder=lambda wildcards, output: run_folder(output),
    shell:
        "{params.command} --sets {input.sets:q} --variants {input.variants:q}"
        " --alternates {input.alternates:q} --settings {params.settings:q}"
        " --instructions {params.instructions:q} --seed {params.seed} {params.similarity} {resources.execution}"
        " --folder {params.folder:q} --out {output:q} --log {log:q}"


if CONFIG.validation.returned:

    # The returned files are inputs only: nothing here writes to them, so that Snakemake never deletes one.
    rule validation:
        input:
            sheets=rules.sheets.output[0],
            sets=out("sets.parquet"),
            variants=out("variants.parquet"),
            alternates=out("alternates.parquet"),
            returned=[file.path for file in returned_files()],
            words=answer_words(),
        output:
            tables=expand(
                out("validation/{name}.{kind}"),
                name=["answers", *VALIDATION_SHOWN],
                kind=["parquet", "csv"],
            ),
            notes=out("validation/notes.json"),
            figures=expand(
                out("figures/validation_{name}.{kind}"),
                name=["rates", "curve"],
                kind=["svg", "png", "csv"],
            ),
        log:
            out("logs/validation.log"),
        conda:
            "../envs/main.yaml"
        params:
            command=command("validate"),
            code=code("validate"),
            returned=lambda wildcards: slice_of([file._asdict() for file in returned_files()]),
            contents=lambda wildcards: contents([file.path for file in returned_files()]),
            settings=lambda wildcards: slice_of(validation_settings()),
            seed=CONFIG.seed,
            folder=lambda wildcards, output: run_folder(output),
        shell:
            "{params.command} --sheets {input.sheets:q} --sets {input.sets:q} --variants {input.variants:q}"
            " --alternates {input.alternates:q} --returned {params.returned:q} --settings {params.settings:q}"
            " --seed {params.seed} --folder {params.folder:q} --out {params.folder:q}/validation --log {log:q}"


if VALIDATED:

    rule apply_validation:
        input:
            augmented=unvalidated("augmented.parquet"),
            rejected=out("validation/rejected.parquet"),
        output:
            augmented=out("augmented.parquet"),
            sentences=out("sentences.parquet"),
        log:
            out("logs/apply_validation.log"),
        conda:
            "../envs/main.yaml"
        params:
            command=command("apply_validation"),
            code=code("apply_validation"),
        shell:
            "{params.command} --augmented {input.augmented:q} --rejected {input.rejected:q}"
            " --out-augmented {output.augmented:q} --out-sentences {output.sentences:q} --log {log:q}"


if CONFIG.validation.ratings is not None:

    rule ratings:
        output:
            out("ratings.json"),
        log:
            out("logs/ratings.log"),
        conda:
            "../envs/main.yaml"
        params:
            command=command("ratings"),
            code=code("ratings"),
            settings=lambda wildcards: slice_of(ratings_settings()),
            texts=contents(ratings_texts()),
            seed=CONFIG.seed,
            folder=lambda wildcards, output: run_folder(output),
        shell:
            "{params.command} --settings {params.settings:q} --seed {params.seed} --folder {params.folder:q}"
            " --out {output:q} --log {log:q}"


if CONFIG.validation.ratings is not None and CONFIG.validation.ratings.returned:

    # Again inputs only: nothing here writes to what came back.
    rule ratings_returned:
        input:
            ratings=rules.ratings.output[0],
            returned=[file.path for file in ratings_files()],
        output:
            tables=ratings_tables(["parquet", "csv"]),
            notes=out("validation/ratings/notes.json"),
            figures=expand(
                out("figures/human_ratings_{lang}.{kind}"),
                lang=CONFIG.validation.ratings.languages,
                kind=["svg", "png", "csv"],
            ),
        log:
            out("logs/ratings_returned.log"),
        conda:
            "../envs/main.yaml"
        params:
            command=command("ratings_returned"),
            code=code("ratings_returned"),
            returned=lambda wildcards: slice_of([file._asdict() for file in ratings_files()]),
            contents=lambda wildcards: contents([file.path for file in ratings_files()]),
            rule=lambda wildcards: slice_of(ratings_rule()),
            folder=lambda wildcards, output: run_folder(output),
        shell:
            "{params.command} --ratings {input.ratings:q} --returned {params.returned:q} --rule {params.rule:q}"
            " --folder {params.folder:q} --out {params.folder:q}/validation/ratings --log {log:q}"
