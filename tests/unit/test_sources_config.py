"""The config's `source` section: every kind is valid as documented, and mistakes are named."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from dualpair import config as configs
from dualpair.sources import settings
from dualpair.sources.adapters import ADAPTERS

ROOT = Path(__file__).resolve().parents[2]
SCAFFOLDS = {"en": {"female": "The women said: {sentence}", "male": "The men said: {sentence}"}}
COLUMNS = {
    "set_id": "id", "cluster_id": None, "bias_type": None, "role": "role", "sentence": "text", "group": None,
    "attribute": None,
}  # fmt: skip
KINDS = {
    "table": {"columns": COLUMNS},
    "biasshades": {"types": ["declaration"]},
    "crows_pairs": {},
    "stereoset": {},
    "gest": {"scaffolds": SCAFFOLDS},
    "eurogest": {"scaffolds": SCAFFOLDS},
    "hf_dataset": {"columns": COLUMNS},
    "augmented": {},
}
NO_ROLES = {"paraphrase": [], "alternate": [], "similarity": None, "nli": None}


def config(kind, engine="stanza", **changes):
    data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    data["languages"] = ["en"]
    data["parse"]["engine"] = {"en": engine}
    data["filters"]["grammar"]["engines"] = "none"
    given = {"kind": kind, "dataset": "d", "files": {"en": "x.csv"}, "max_sets": None} | KINDS.get(kind, {})
    data["source"] = given | changes
    return data


def test_every_kind_has_an_adapter():
    assert set(settings.KINDS) == set(KINDS) == {*ADAPTERS, "augmented"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_valid(kind):
    loaded = configs.load(config(kind, "presplit" if "gest" in kind else "stanza"))
    assert loaded.source.kind == kind
    assert configs.starts_at_scoring(loaded) == (kind == "augmented")


def test_an_augmented_source_needs_no_roles_but_score_and_no_parser():
    data = config("augmented")
    data["roles"] |= NO_ROLES
    data["parse"]["engine"] = {}
    data["generation"]["paraphrase"]["prompt"] = "none-such"
    configs.load(data)


def test_other_sources_need_all_roles():
    data = config("crows_pairs")
    data["roles"] |= NO_ROLES
    with pytest.raises(configs.ConfigError) as error:
        configs.load(data)
    for role in ("alternate", "similarity", "nli"):
        assert f"key `roles.{role}`: value " in str(error.value)


def columns(**changes):
    return {"columns": COLUMNS | changes}


@pytest.mark.parametrize(
    ("kind", "engine", "changes", "message"),
    [
        ("table", "stanza", columns(role=None), "key `source.columns.role`: value None"),
        ("table", "stanza", columns(groups="g"), "key `source.columns.groups`: value 'g'"),
        ("table", "stanza", columns(role=None, groups="g", group="h"), "key `source.columns.group`: value 'h'"),
        ("table", "stanza", columns(sentence=None), "key `source.columns.sentence`: value None needs"),
        ("table", "presplit", columns(attribute="a"), "value 'presplit' needs `source.columns.group`"),
        ("hf_dataset", "presplit", columns(group="a"), "value 'presplit' needs `source.columns.attribute`"),
        ("table", "stanza", {"reading": {"encoding": "utf8x"}}, "key `source.reading.encoding`: value 'utf8x'"),
        ("table", "stanza", {"reading": {"encoding": "rot13"}}, "no encoding of text"),
        ("table", "stanza", {"reading": {"delimiter": "commas"}}, "did you mean 'comma'?"),
        ("table", "stanza", {"reading": {"delimeter": "tab"}}, "did you mean 'delimiter'?"),
        ("biasshades", "presplit", {}, "value 'presplit': BiasShades gives whole sentences"),
        ("crows_pairs", "presplit", {}, "value 'presplit': CrowS-Pairs gives whole sentences"),
        ("crows_pairs", "stanza", {"stereotyped": "more"}, "did you mean 'sent_more'?"),
        ("crows_pairs", "stanza", {"types": []}, "key `source.types` is unknown"),
        ("gest", "stanza", {}, "the scaffold says where the sentence begins; use presplit"),
        ("gest", "presplit", {"scaffolds": {}}, "key `source.scaffolds.en` is missing"),
        (
            "gest",
            "presplit",
            {"scaffolds": {"en": {"female": "{sentence} she said", "male": "he said {sentence}"}}},
            "needs {sentence} once, with the group in front of it",
        ),
        (
            "eurogest",
            "presplit",
            {"scaffolds": {"en": {"female": "She: {sentence}.", "male": "He: {sentence}!"}}},
            "differ after {sentence}",
        ),
        ("stereo_set", "stanza", {}, "did you mean 'stereoset'?"),
    ],
)
def test_a_mistake_names_key_value_and_fix(kind, engine, changes, message):
    with pytest.raises(configs.ConfigError) as error:
        configs.load(config(kind, engine, **changes))
    assert message in str(error.value)


def test_a_saved_data_set_is_a_folder(tmp_path):
    (tmp_path / "file").write_text("x")
    loaded = configs.load(config("hf_dataset", files={"en": str(tmp_path)}))
    assert configs.source_file(loaded, "en") == tmp_path
    for kind, path, what in (("hf_dataset", tmp_path / "file", "folder"), ("crows_pairs", tmp_path, "file")):
        loaded = configs.load(config(kind, files={"en": str(path)}))
        with pytest.raises(configs.ConfigError, match=rf"key `source.files.en`: {what} '.*' does not exist"):
            configs.source_file(loaded, "en")


def test_the_messages_are_in_our_own_words():
    with pytest.raises(configs.ConfigError) as error:
        configs.load(config("table", reading={"encoding": "utf8x"}))
    assert "Value error" not in str(error.value)
    assert "value 'utf8x': no such encoding" in str(error.value)


def test_a_file_name_with_braces_is_refused():
    with pytest.raises(
        configs.ConfigError, match=r"key `source.files.en`: value 'text_\{lang\}.csv': braces in a path"
    ):
        configs.load(config("crows_pairs", files={"en": "text_{lang}.csv"}))
