# The workflow's table of contents: config, rules by stage family, targets.
from pathlib import Path

from snakemake.utils import min_version

min_version("9.14.8")


# --configfile merges deeply into a config that is already there: load the default only when the user names none.
if not workflow.config_settings.configfiles:

    configfile: str(Path(workflow.basedir) / "config.yaml")


report: "report/workflow.rst"


include: "rules/common.smk"


wildcard_constraints:
    model=MODEL_NAME,
    task=r"paraphrase|alternate-[1-9][0-9]*",
    round=r"[1-9][0-9]*",


include: "rules/prepare.smk"


if IMPORTED:

    include: "rules/import.smk"

else:

    include: "rules/generate.smk"
    include: "rules/grammar.smk"
    include: "rules/judge.smk"
    include: "rules/select.smk"


include: "rules/score.smk"
include: "rules/headline.smk"
include: "rules/reliability.smk"
include: "rules/inference.smk"
include: "rules/comparison.smk"
include: "rules/norms.smk"
include: "rules/report.smk"
include: "rules/validate.smk"


localrules:
    all,
    models,
    score,
    measure,
    analyse,
    run_config,


ANALYSED = [
    rules.headline.output,
    rules.reliability.output,
    rules.inference.output,
    rules.comparison.output,
    rules.norms_auc.output if CONFIG.norms is not None else [],
]


rule all:
    default_target: True
    input:
        rules.augment.output,
        ANALYSED,
        rules.report.output,
        rules.run_config.output,
        rules.sheets.output,
        ratings_wanted(),
        [] if IMPORTED else rules.yields.output,
        expand(out("{table}.parquet"), table=["stereotypes", "sets", "variants", "alternates"]),
        expand(out("{table}/{model}.parquet"), table=["scores", "measures", "set_measures"], model=CONFIG.roles.score),


rule models:
    input:
        expand(out("models/{model}.json"), model=used_models()),
        grammar_ready(),


rule score:
    input:
        expand(out("scores/{model}.parquet"), model=CONFIG.roles.score),


rule measure:
    input:
        expand(out("set_measures/{model}.parquet"), model=CONFIG.roles.score),
        rules.run_config.output,


rule analyse:
    input:
        ANALYSED,
        rules.run_config.output,
