# Config, paths and the few functions that rules share.
import functools
import os
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from dualpair import artifacts, codehash, plan, shards, syntax
from dualpair import config as configs
from dualpair.models.registry import MODEL_NAME
from dualpair.syntax import engines


def _load():
    """The validated config and its source files; a mistake stops here, before any rule runs."""
    names = [str(path) for path in workflow.config_settings.configfiles] or ["config.yaml"]
    try:
        loaded = configs.load(config, " + ".join(names))
        files = {lang: configs.source_file(loaded, lang) for lang in loaded.languages}
        # Relative, so that a checkout that was moved with its results runs nothing again.
        return loaded, {lang: os.path.relpath(path) for lang, path in files.items()}
    except configs.ConfigError as error:
        raise WorkflowError(str(error))


CONFIG, SOURCE_FILES = _load()
STORE = configs.store_root(CONFIG)
IMPORTED = configs.starts_at_scoring(CONFIG)  # the source holds the pairs: nothing is parsed, generated or judged
ROUNDS = range(1, 2 if IMPORTED else len(CONFIG.roles.alternate) + 1)


def out(path):
    """A path below this run's results folder."""
    return f"results/{CONFIG.run}/{path}"


def run_folder(output):
    """This run's results folder, seen from a rule's first output."""
    return str(next(parent for parent in Path(output[0]).parents if parent.name == CONFIG.run))


def command(script, model=None):
    """Interpreter and script: this environment's interpreter, or under --sdm conda the one that is activated.

    A model with engine vllm runs under vLLM's own interpreter. Which one is there is looked up when the job runs, so
    that installing vLLM re-runs nothing; without it the job starts all the same, and fails only if it must score.
    """
    path = shlex.quote(os.path.relpath(Path(workflow.basedir) / "scripts" / f"{script}.py"))
    if workflow.deployment_settings.deployment_method:
        return f"PYTHONPATH={shlex.quote(workflow.basedir)} python {path}"
    own = shlex.quote(sys.executable)
    if model is None or CONFIG.models[model].engine != "vllm":
        return f"{own} {path}"
    given = CONFIG.execution.vllm_python
    auto = os.path.relpath(Path(workflow.basedir) / ".venv-vllm" / "bin" / "python")
    found = shlex.quote(auto if given == "auto" else str(Path(given).expanduser()))
    return f'"$([ -x {found} ] && echo {found} || echo {own})" {path}'


def environment_of(wildcards):
    """Conda environment of a model's job."""
    return f"../envs/{'vllm' if CONFIG.models[wildcards.model].engine == 'vllm' else 'main'}.yaml"


def code(script):
    """Hash of the code that a rule runs, so that an edited module re-runs what uses it."""
    return codehash.code_hash(Path(workflow.basedir) / "scripts" / f"{script}.py")


def planning(kind):
    """Arguments of planning that decide no result; given as a resource, so that a changed one re-runs nothing."""
    budget = getattr(CONFIG.execution.unit_tokens, kind)
    shared = f"--store {shlex.quote(str(STORE))} --device {CONFIG.execution.device} --unit-tokens"
    if kind != "score":
        return f"{shared} {budget}"
    return lambda wildcards: f"{shared} {plan.unit_tokens(budget, CONFIG.models[wildcards.model].size)}"


def running():
    """The same of a model rule."""
    settings = CONFIG.execution
    return (
        f"--store {shlex.quote(str(STORE))} --device {settings.device} --token-budget {settings.token_budget}"
        f" --max-failed-share {settings.max_failed_share} --hub {'off' if CONFIG.offline else 'on'}"
    )


def running_score(wildcards):
    """The same of a job that scores; --concurrency comes after --entry."""
    return f"{running()} --concurrency {CONFIG.models[wildcards.model].concurrency}"


def slice_of(section):
    """A config section as canonical JSON, which is all that its job sees of the config."""
    return artifacts.canonical_json(section.model_dump(mode="json") if hasattr(section, "model_dump") else section)


def entry(name):
    """A model's registry entry as JSON, less what decides nothing about its answers."""
    descriptive = {
        "thresholds",
        "origin",
        "licence",
        "family",
        "size",
        "shards",
        "concurrency",
    }
    return artifacts.canonical_json(CONFIG.models[name].model_dump(mode="json", exclude=descriptive))


def thresholds():
    """The role models' thresholds as JSON."""
    values = {
        "similarity": configs.threshold(CONFIG, "similarity", "similarity"),
        "nli_paraphrase": configs.threshold(CONFIG, "nli", "nli_paraphrase"),
        "nli_alternate": configs.threshold(CONFIG, "nli", "nli_alternate"),
        "agreement": dict(CONFIG.filters.agreement),
        "nli_entailment": CONFIG.models[CONFIG.roles.nli].thresholds.nli_entailment,
    }
    return artifacts.canonical_json(values)


def used_models():
    """Every model whose role is played."""
    roles = CONFIG.roles
    if IMPORTED:
        return sorted(set(roles.score))
    return sorted({*roles.paraphrase, *roles.alternate, roles.similarity, roles.nli, *roles.score})


def task_models(task):
    """Models that generate for a task."""
    return CONFIG.roles.paraphrase if task == "paraphrase" else [CONFIG.roles.alternate[int(task.split("-")[1]) - 1]]


def generation(task):
    """Generation settings of a task."""
    return CONFIG.generation.paraphrase if task == "paraphrase" else CONFIG.generation.alternate


def source_inputs():
    """Every file that the source's adapter reads; a saved data set is a folder."""
    files = []
    for path in SOURCE_FILES.values():
        inside = sorted(str(file) for file in Path(path).rglob("*") if file.is_file())
        files += inside if os.path.isdir(path) else [path]
    return list(dict.fromkeys(files))


def parser_fingerprints():
    """Hash of each language's parser, so that other models parse again; empty where the source is split already."""
    folder = None if CONFIG.parse.models == "embedded" else Path(CONFIG.parse.models)
    found = {}
    for lang in CONFIG.languages:
        engine = CONFIG.parse.engine[lang]
        if engine != engines.PRESPLIT and (engine != engines.STANZA or folder is None or folder.is_dir()):
            found[lang] = syntax.fingerprint(lang, engine, folder)
    return found


def report_config():
    """The settings that the report prints: all but how and where the work is run, and only the models used."""
    shown = CONFIG.model_dump(mode="json", exclude={"execution", "store", "models"}, exclude_none=True)
    models = {name: CONFIG.models[name].model_dump(mode="json", exclude_none=True) for name in used_models()}
    return {**shown, "models": models}


def report_templates():
    """The report's page, style and script, which no import names."""
    folder = Path(configs.__file__).parent / "report" / "templates"
    return sorted(os.path.relpath(path) for path in folder.iterdir() if path.is_file())


def shard_notes(wildcards):
    """Notes of the jobs that share the scoring of a model; none where one job does it all."""
    total = CONFIG.models[wildcards.model].shards
    names = [shards.Shard(number, total) for number in range(1, total + 1)] if total > 1 else []
    return [out(f"plans/score/{wildcards.model}.shards/{name}.json") for name in names]


def cores(wildcards):
    """Cores of a job that scores, or one where it only merges shards."""
    return 1 if CONFIG.models[wildcards.model].shards > 1 else CONFIG.execution.threads


@functools.lru_cache(maxsize=8)
def _plan(path, changed):
    return plan.read(path)


def planned(input):
    """The plan that a model job carries out."""
    return _plan(str(input.plan), os.stat(input.plan).st_mtime_ns)


def missing(input, wildcards=None):
    """Tokens that a job finds missing (resources are asked for only when there is work).

    They are those of its stage's plan or, of a shard's job, of its units; a job that merges shards has none.
    """
    if input.get("shards"):
        return 0
    if wildcards is not None and wildcards.get("i"):
        mine = shards.units(planned(input), shards.Shard(int(wildcards.i), int(wildcards.n)))
        return sum(unit.tokens for unit in mine)
    return planned(input).tokens_missing


def gpus(wildcards, input):
    """GPUs of a model job: none when its plan is empty."""
    return CONFIG.models[wildcards.model].gpus if missing(input, wildcards) else 0


def minutes(wildcards, input, attempt):
    """Minutes of a model job: few when its plan is empty; else generous, and more at each attempt."""
    work, table = missing(input, wildcards), 1 + planned(input).n_requests // 200_000
    return (table + (10 + work // 2000 if work else 0)) * attempt


def megabytes(wildcards, input, attempt):
    """Memory of a model job: its table's rows and, when it has work, the model in float32 plus working space."""
    size = CONFIG.models[wildcards.model].size or 1.5e9
    table = 1000 + planned(input).n_requests // 200
    return int(table + (3000 + size * 4 / 1e6 if missing(input, wildcards) else 0)) * attempt


def earlier_rounds(path):
    """The files `path` of the alternate rounds before this one."""
    return lambda wildcards: [out(path.format(task=f"alternate-{r}")) for r in range(1, int(wildcards.round))]


def similarity_first(wildcards):
    """Paraphrases must be similar enough before the costly judge sees them; alternates need not be."""
    return out("judgements/paraphrase/similarity.parquet") if wildcards.task == "paraphrase" else []


def threshold_first(wildcards):
    """Arguments of that threshold; of wildcards alone, since Snakemake does not watch a parameter made from inputs."""
    if wildcards.task != "paraphrase":
        return ""
    threshold = configs.threshold(CONFIG, "similarity", "similarity")
    return f"--similarity {similarity_first(wildcards)} --threshold {threshold}"


def rounds(path):
    """The files `path` of all alternate rounds."""
    return [out(path.format(task=f"alternate-{r}")) for r in ROUNDS]
