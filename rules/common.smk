# Config, paths and the few functions that rules share.
import functools
import hashlib
import os
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from dualpair import artifacts, codehash, paths, plan, run_config, shards, syntax
from dualpair import config as configs
from dualpair.filters import acceptance, agreement_settings, grammar_engines, grammar_settings
from dualpair.errors import InputError
from dualpair.generation import ready
from dualpair.generation.prompts import TASKS
from dualpair.measures.spans import UNITS
from dualpair.models.registry import MODEL_NAME
from dualpair.syntax import engines
from dualpair.validation import instructions, ratings_results, returned_paths
from dualpair.validation import settings as validation


def _load():
    """The validated config and its source files; a mistake stops here, before any rule runs."""
    names = [str(path) for path in workflow.config_settings.configfiles] or ["config.yaml"]
    try:
        loaded = configs.load(config, " + ".join(names), files=workflow.configfiles)
        files = {lang: configs.source_file(loaded, lang) for lang in loaded.languages}
        # Relative, so that a checkout that was moved with its results runs nothing again.
        return loaded, {lang: os.path.relpath(path) for lang, path in files.items()}
    except configs.ConfigError as error:
        raise WorkflowError(str(error))


CONFIG, SOURCE_FILES = _load()
STORE = configs.store_root(CONFIG)
PROMPTS = configs.prompts_folder(CONFIG)
IMPORTED = configs.starts_at_scoring(CONFIG)  # the source holds the pairs: nothing is parsed, generated or judged
VALIDATED = CONFIG.validation.apply and bool(CONFIG.validation.returned)  # rejected pairs are taken out
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
    """The same of a job that scores or generates; --concurrency comes after --entry."""
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
        "grammar": grammar_rules(),
        "acceptance": acceptance_fit(),
    }
    return artifacts.canonical_json(values)


def acceptance_fit():
    """The fit of acceptance with all its numbers, so that another file selects anew; none where none is asked for."""
    name = CONFIG.filters.acceptance
    return None if name is None else acceptance.load(name).model_dump(mode="json")


def grammar_rules():
    """Grammar engines per language, and the threshold of engine lm's model."""
    grammar = CONFIG.filters.grammar
    threshold = CONFIG.models[grammar.lm_model].thresholds.grammar if grammar.lm_model else None
    return {"engines": grammar_settings.by_language(grammar, CONFIG.languages), "threshold": threshold}


def grammar_languages(engine):
    """Languages that a grammar engine looks at."""
    return grammar_settings.languages_of(CONFIG.filters.grammar, engine, CONFIG.languages)


def grammar_categories():
    """The files that say which of LanguageTool's findings count."""
    files = [grammar_settings.categories_file(lang) for lang in grammar_languages(grammar_engines.LANGUAGETOOL)]
    return [os.path.relpath(path) for path in files]


def agreement_files():
    """Word lists that the engine agreement reads."""
    files = agreement_settings.files(grammar_languages(grammar_engines.AGREEMENT))
    return [os.path.relpath(path) for path in files]


def agreement_parsers():
    """Parsing engines of the languages that the engine agreement looks at."""
    return {lang: CONFIG.parse.engine[lang] for lang in grammar_languages(grammar_engines.AGREEMENT)}


def agreement_fingerprints():
    """Their parsers' hashes."""
    found = parser_fingerprints()
    return {lang: found[lang] for lang in agreement_parsers() if lang in found}


def languagetool_settings():
    """What LanguageTool's findings depend on."""
    return CONFIG.filters.grammar.languagetool.model_dump(mode="json", include={"server", "version", "picky"})


def running_languagetool():
    """Arguments of its job that decide no result."""
    settings = CONFIG.filters.grammar.languagetool
    return (
        f"--store {shlex.quote(str(STORE))} --max-failed-share {CONFIG.execution.max_failed_share}"
        f" --memory-mb {settings.memory_mb} {languagetool_hub()}"
    )


def languagetool_hub():
    """Whether LanguageTool may be downloaded, and how long a request may take."""
    return f"--timeout-s {CONFIG.filters.grammar.languagetool.timeout_s} --hub {'off' if CONFIG.offline else 'on'}"


def grammar_ready():
    """What says that LanguageTool is ready, where it is used."""
    used = not IMPORTED and grammar_languages(grammar_engines.LANGUAGETOOL)
    return [out("models/grammar/languagetool.json")] if used else []


def used_models():
    """Every model whose role is played."""
    roles = CONFIG.roles
    if IMPORTED:
        return sorted(set(roles.score))
    grammar = [CONFIG.filters.grammar.lm_model] if CONFIG.filters.grammar.lm_model else []
    return sorted({*roles.paraphrase, *roles.alternate, roles.similarity, roles.nli, *roles.score, *grammar})


def task_models(task):
    """Models that generate for a task."""
    return CONFIG.roles.paraphrase if task == "paraphrase" else [CONFIG.roles.alternate[int(task.split("-")[1]) - 1]]


def generation(task):
    """Generation settings of a task."""
    return CONFIG.generation.paraphrase if task == "paraphrase" else CONFIG.generation.alternate


def prompt_files(task):
    """Prompt files of a task."""
    found = generation_files().prompts["paraphrase" if task == "paraphrase" else "alternate"]
    return [os.path.relpath(path) for path in found]


def word_list_files():
    """Word lists that hygiene reads."""
    return [os.path.relpath(path) for path in generation_files().word_lists]


def or_refused(output, files, *args):
    """The files, for the `input` of the rule that makes the output; one that is missing or malformed stops the run.

    Where the output exists, Snakemake swallows an input function's error, takes the old output for a source and reports
    stale results as up to date. There the rule's `params`, which read the same files, are what stops the run; where it
    does not exist, they would be looked at only when the job starts.
    """
    try:
        return files(*args)
    except WorkflowError:
        if not os.path.exists(output):
            raise
        return []


@functools.lru_cache(maxsize=1)
def generation_files():
    """What generation reads; a file that is missing or malformed stops the run before any rule, if it generates."""
    settings = CONFIG.generation
    choices = {task: ready.Choice(one.prompt, one.mode) for task in TASKS for one in [getattr(settings, task)]}
    try:
        return ready.files(choices, CONFIG.languages, PROMPTS)
    except InputError as error:
        raise WorkflowError(str(error))


def contents(files):
    """Hash of the contents of files, which an older file put in a newer one's place changes too."""
    digests = [hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in files]
    return hashlib.sha256(" ".join(digests).encode()).hexdigest()[:16]


def generation_settings(task):
    """What generating a task sees of the config."""
    used = generation(task).model_dump(mode="json", exclude={"allow_negation", "min_answers"})
    return slice_of({**used, "prompts": PROMPTS})


def collection_settings(task):
    """What collecting its candidates sees."""
    used = generation(task).model_dump(mode="json", include={"mode", "allow_negation", "min_answers"})
    return slice_of({**used, "prompts": PROMPTS})


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


def mismatch_check():
    """Arguments by which the sheets' mismatched pairs are checked; none where the similarity filter saw nothing."""
    if IMPORTED:
        return ""
    model = CONFIG.roles.similarity
    threshold = configs.threshold(CONFIG, "similarity", "similarity")
    return (
        f"--similarity-model {model} --similarity-entry {shlex.quote(entry(model))} --similarity-threshold {threshold}"
    )


def sheet_instructions():
    """Language of the sheets' items to that of their instructions, or a file; missing ones stop the run at once."""
    chosen = validation.chosen(CONFIG.validation.instructions, CONFIG.languages)
    try:
        for lang, name in chosen.items():
            instructions.for_items(name, lang)
    except ValueError as error:
        raise WorkflowError(f"key `validation.instructions`, language {lang!r}: {error}")
    return chosen


@functools.lru_cache(maxsize=1)
def returned_files():
    """The sheets that came back, each with whose it is and its encoding; a missing one stops the run at once."""
    try:
        return returned_paths.expand(CONFIG.validation.returned, CONFIG.validation.encoding)
    except InputError as error:
        raise WorkflowError(str(error))


def answer_words():
    """Files of the words that stand for the three answers."""
    return [os.path.relpath(path) for path in sorted(paths.resource("answers").glob("*.yaml"))]


def validation_settings():
    """What validation sees of the config."""
    return {
        "attention_failures": CONFIG.validation.exclude.attention_failures,
        "target": CONFIG.validation.target,
        "bootstrap": CONFIG.analysis.bootstrap,
        "instructions": sheet_instructions(),
    }


def ratings_settings():
    """What the survey of trait ratings is made of: its numbers, and each language's groups with their names."""
    settings = CONFIG.validation.ratings
    numbers = settings.model_dump(include={"per_group", "groups_per_annotator"})
    return {**numbers, "named": {lang: settings.named(lang) for lang in settings.languages}}


def ratings_texts():
    """Files that the survey is made of, which no import names."""
    folders = [paths.resource("ratings"), paths.resource("traits"), paths.resource("sheets", "page")]
    return sorted(path for folder in folders for path in folder.iterdir() if path.is_file())


def ratings_rule():
    """Which annotators of the survey are left out."""
    return CONFIG.validation.ratings.model_dump(include={"min_self_agreement", "agreement_points", "exclude"})


@functools.lru_cache(maxsize=1)
def ratings_files():
    """The surveys that came back; a missing one stops the run at once."""
    given = [returned_paths.File(path, "", "") for path in CONFIG.validation.ratings.returned]
    try:
        return returned_paths.expand(given, CONFIG.validation.encoding)
    except InputError as error:
        raise WorkflowError(str(error).replace("validation.returned", "validation.ratings.returned"))


def ratings_tables(kinds):
    """Tables of the survey."""
    return expand(out("validation/ratings/{name}.{kind}"), name=ratings_results.NAMES, kind=kinds)


def ratings_wanted():
    """What a run makes of the survey: its files, and its tables once answers are back."""
    if CONFIG.validation.ratings is None:
        return []
    return [out("ratings.json"), *(ratings_tables(["parquet", "csv"]) if CONFIG.validation.ratings.returned else [])]


def validation_tables(names):
    """Tables of the human validation; none where nothing came back."""
    return expand(out("validation/{name}.parquet"), name=names) if CONFIG.validation.returned else []


def unvalidated(path):
    """Where pairs are written before those that people reject are taken out; else the usual place."""
    return out(f"unvalidated/{path}" if VALIDATED else path)


def report_config():
    """The settings that the report prints: all but how and where the work is run, and only the models used."""
    shown = CONFIG.model_dump(mode="json", exclude={"execution", "store", "models"}, exclude_none=True)
    models = {name: CONFIG.models[name].model_dump(mode="json", exclude_none=True) for name in used_models()}
    return {**shown, "models": models}


def settings_of_run():
    """The whole resolved config as JSON values, with the entries of the models used; not how the work is run."""
    whole = CONFIG.model_dump(mode="json", exclude={"models", *run_config.LEFT_OUT})
    scorer = CONFIG.analysis.wording.bertscore
    names = {*used_models(), *([scorer] if scorer in CONFIG.models else [])}
    return {**whole, "models": {name: CONFIG.models[name].model_dump(mode="json") for name in sorted(names)}}


def facts(*settings):
    """What an analysis may know of the run beyond its tables (dualpair.report.section.Facts), as JSON.

    Of the section `analysis` it sees the keys that are named, so that no other key re-runs it; none named: all.
    """
    described = {
        name: {key: getattr(CONFIG.models[name], key) for key in ["family", "size", "tuning"]}
        for name in CONFIG.roles.score
    }
    return slice_of(
        {
            "unit": UNITS[CONFIG.scoring.normalisation],
            "tie": CONFIG.scoring.tie,
            "seed": CONFIG.seed,
            "analysis": CONFIG.analysis.model_dump(mode="json", include=set(settings) or None),
            "models": described,
            "languages": CONFIG.languages,
        }
    )


def shown(files, category):
    """Outputs of an analysis; SVG figures and CSV tables are flagged for `snakemake --report`."""
    kinds = {".svg": "figure", ".csv": "table"}
    flagged = []
    for file in files:
        stem, suffix = os.path.splitext(os.path.basename(file))
        drawn = Path(file).parent.name == "figures"
        kind = None if drawn and suffix == ".csv" else kinds.get(suffix)
        caption = f"../report/{kind}.rst"
        flagged.append(report(file, category=category, caption=caption, labels={"name": stem}) if kind else file)
    return flagged


def no_norms(wildcards):
    """In the place of the target `norms` where the config leaves the feature norms out."""
    raise WorkflowError("key `norms` of the config is null: there are no feature norms to score (docs/norms.md)")


def report_templates():
    """The report's page, style and script, which no import names."""
    folder = Path(artifacts.__file__).parent / "report" / "templates"
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


def originals_too(wildcards):
    """The sets, where an alternate is judged against v0 too, for the record."""
    wanted = CONFIG.filters.record_against_v0 and wildcards.task != "paraphrase"
    return out("sets.parquet") if wanted else []


def against_originals(wildcards):
    """Arguments of that."""
    sets = originals_too(wildcards)
    return f"--originals {sets}" if sets else ""


def rounds(path):
    """The files `path` of all alternate rounds."""
    return [out(path.format(task=f"alternate-{r}")) for r in ROUNDS]
