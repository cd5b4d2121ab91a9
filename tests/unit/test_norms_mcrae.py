"""The adapter for the McRae norms: the user's file, read kindly and strictly, and the list of opposite features."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

from dualpair.errors import InputError
from dualpair.norms import concepts, mcrae, pairs

ROWS = [
    ("ice", "is_cold"), ("oven", "is_hot"), ("tea", "is_hot"), ("tea", "is_cold"), ("bat_(animal)", "is_small"),
    ("peas", "is_small"), ("big_house", "is_large"), ("dress", "is_large"), ("hose_(leggings)", "is_small"),
    ("jacket", "has_buttons"),
]  # fmt: skip
LIST = """pairs:
  - [is_hot, is_cold]
  - {first: is_large, second: {features: [is_small], says: tiny}}
plural: [hose_(leggings)]
singular: []
"""


def norms(path: Path, delimiter: str = "\t", encoding: str = "utf-8", end: str = "\r\n", quote: str = "") -> Path:
    """A file of the norms' shape, its columns in another order."""
    lines = [("Prod_Freq", "Feature", "KF", "Concept"), *(("9", feature, "1", concept) for concept, feature in ROWS)]
    text = end.join(delimiter.join(f"{quote}{cell}{quote}" for cell in line) for line in lines) + end
    path.write_bytes(text.encode(encoding))
    return path


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.yaml"
    path.write_text(LIST, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("delimiter", "encoding", "end", "quote"),
    [
        ("\t", "utf-8", "\r\n", ""), ("\t", "utf-8-sig", "\n", ""), (",", "utf-8", "\n", '"'),
        (";", "cp1252", "\r\n", ""), ("\t", "utf-16", "\r\n", ""),
    ],
)  # fmt: skip
def test_every_common_form_is_read(tmp_path: Path, delimiter: str, encoding: str, end: str, quote: str) -> None:
    found = mcrae.read(norms(tmp_path / "n.txt", delimiter, encoding, end, quote))
    assert found["is_hot"] == {"oven", "tea"}
    assert found["is_small"] == {"bat_(animal)", "peas", "hose_(leggings)"}
    assert sum(map(len, found.values())) == len(ROWS)


def test_sentences_of_the_norms(tmp_path: Path, listed: Path) -> None:
    frame = concepts.table(mcrae.concepts(norms(tmp_path / "n.txt"), listed), "mcrae")
    by_id = frame.set_index("concept_id")
    assert by_id["reason"].to_dict() == {
        "ice": "", "oven": "", "tea": "both_features", "bat_(animal)": "", "big_house": "", "dress": "", "peas": "",
        "hose_(leggings)": "",
    }  # fmt: skip
    said = {key: (row.prefix, row.first, row.second) for key, row in by_id.iterrows()}
    assert said["ice"] == ("The ice", "is hot", "is cold")
    assert said["bat_(animal)"] == ("The bat", "is large", "is tiny")
    assert said["peas"] == ("The peas", "are large", "are tiny")
    assert said["dress"] == ("The dress", "is large", "is tiny")
    assert said["big_house"] == ("The big house", "is large", "is tiny")
    assert said["hose_(leggings)"] == ("The hose", "are large", "are tiny")
    assert set(frame["pair_id"]) == {"hot-cold", "large-tiny"}
    assert by_id["has_first"].to_dict()["ice"] is False


def test_a_folder_is_looked_through(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found none; name the file"):
        mcrae.find(tmp_path)
    path = norms(tmp_path / "CONCS_FEATS_concstats_brm.txt")
    (tmp_path / "CONCS_FEATS_concstats_brm_variable_explanations.txt").write_text("x", encoding="utf-8")
    (tmp_path / "FEATS_brm.txt").write_text("Feature\n", encoding="utf-8")
    assert mcrae.find(tmp_path) == path
    norms(tmp_path / "concs_feats_copy.txt")
    with pytest.raises(InputError, match="exactly one file"):
        mcrae.find(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"Concept\tFamiliarity\nice\t1\n", r"seems to be CONCS_brm.txt \(concepts only\); give CONCS_FEATS"),
        (b"Feature\tCPF\nis_hot\t1\n", r"seems to be FEATS_brm.txt \(features only\)"),
        (b"a b\nc d\n", "the header has no columns Concept and Feature"),
        (b"Concept\tFeature\n", "has a header and no row"),
        (b"Concept\tFeature\nice\tis_cold\n\noven\t\n", "line 4: no Feature"),
        (b"Concept\tFeature\nice\tis_cold\noven\n", "line 3: no Feature"),
        (b"Concept\tFeature\n\tis_cold\n", "line 2: no Concept"),
        (b"Concept\tFeature\nice\tis_cold\tis_hot\n", "line 2: 3 cells, the header has 2"),
        (b"PK\x03\x04rest", "is a ZIP archive or workbook"),
        (b"", "is empty"),
        (b"Concept\tFeature\nice\tis\x00cold\n", "line 2: a NUL character"),
    ],
)
def test_malformed_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "n.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        mcrae.read(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LIST.replace("is_hot", "is_hott"), "has the feature 'is_hott'; did you mean 'is_hot'"),
        (LIST.replace("is_hot", "is_zzzzz"), r"has the feature 'is_zzzzz'\. Correct it"),
        (LIST.replace("is_hot", "has_buttons"), r"does not begin with 'is_'; write \{features: \[has_buttons\], says"),
        (LIST.replace("[is_hot, is_cold]", "[is_hot]"), "a pair has two features; found 1"),
        (LIST.replace("is_cold", "is_hot"), "they are to be opposites"),
        (LIST.replace("- [is_hot, is_cold]", "- [is_hot, is_cold]\n  - [is_hot, is_cold]"), r"twice: \['hot-cold'\]"),
        (LIST.replace("singular: []", "singular: [hose_(leggings)]"), "both plural and singular"),
        (LIST.replace("plural:", "plurals:"), "key `plural`"),
        ("pairs: []\nplural: []\nsingular: []\n", "key `pairs`"),
    ],
)
def test_malformed_lists_of_pairs_are_refused(tmp_path: Path, listed: Path, text: str, message: str) -> None:
    listed.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        list(mcrae.concepts(norms(tmp_path / "n.txt"), listed))
    assert str(listed) in str(caught.value)


@pytest.mark.parametrize(
    ("concept", "noun", "plural"),
    [
        ("bat_(animal)", "bat", False), ("hair_drier", "hair drier", False), ("peas", "peas", True),
        ("bus", "bus", False), ("dress", "dress", False), ("skis", "skis", True), ("hose_(leggings)", "hose", True),
    ],
)  # fmt: skip
def test_names_of_concepts(concept: str, noun: str, plural: bool) -> None:
    assert mcrae.noun(concept) == noun
    assert pairs.load(pairs.default_file()).is_plural(concept, noun) == plural


def test_our_list_has_twelve_pairs() -> None:
    assert len(pairs.load(pairs.default_file()).pairs) == 12


def test_the_real_norms(shared_data: Path) -> None:
    """Counts taken from the file with other tools; the paper states a median of 17 concepts for its twelve pairs."""
    path = mcrae.find(shared_data / "mcrae")
    found = mcrae.read(path)
    assert len(set().union(*found.values())) == 541
    assert len(found) == 2526
    assert (len(found["is_large"]), len(found["is_small"]), len(found["is_large"] & found["is_small"])) == (
        106,
        121,
        10,
    )
    frame = concepts.table(mcrae.concepts(path, pairs.default_file()), "mcrae")
    listed = frame.loc[frame["reason"] != "both_features"].groupby("pair_id").size().to_dict()
    assert listed == {
        "large-small": 207, "tall-short": 16, "hard-soft": 47, "fast-slow": 38, "loud-quiet": 36, "thick-thin": 17,
        "smooth-rough": 9, "hot-cold": 10, "bright-dark": 7, "wild-domestic": 8, "beautiful-ugly": 16,
        "comfortable-uncomfortable": 15,
    }  # fmt: skip
    assert statistics.median(listed.values()) == 16
    both = frame.loc[frame["reason"] == "both_features"].groupby("pair_id").size().to_dict()
    assert both == {
        "large-small": 10, "hard-soft": 1, "fast-slow": 1, "thick-thin": 1, "smooth-rough": 1,
        "comfortable-uncomfortable": 1,
    }  # fmt: skip
    kept = frame.loc[frame["kept"]]
    assert kept.groupby("pair_id")["has_first"].nunique().eq(2).all()
    # Two senses written alike with the same feature: the sentence counts once.
    assert frame.loc[frame["reason"] == "repeated_form", "concept_id"].tolist() == [
        "mouse_(computer)", "tank_(container)", "mink_(coat)",
    ]  # fmt: skip


def test_other_files_of_the_norms_are_refused(shared_data: Path) -> None:
    for name, message in (("CONCS_brm.txt", "concepts only"), ("FEATS_brm.txt", "features only")):
        with pytest.raises(InputError, match=message):
            mcrae.read(shared_data / "mcrae" / name)
