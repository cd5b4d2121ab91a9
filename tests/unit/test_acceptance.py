"""Acceptance: the probability that a reader accepts a candidate, its fit on readings, and what selection makes of it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from dualpair.cli import main
from dualpair.errors import InputError
from dualpair.filters import acceptance, acceptance_fit, readings
from dualpair.filters.acceptance import ALTERNATE, FEATURES, PARAPHRASE
from dualpair.paths import resource

SHIPPED = resource("acceptance", "embedded.csv")
PARAPHRASE_TARGET = 0.85  # of the shipped fit


def measured(**changed: Any) -> pd.DataFrame:
    row = {
        "lang": "en", "similarity": 0.8, "contradiction_forward": 0.2, "contradiction_backward": 0.1,
        "entailment_forward": 0.5, "entailment_backward": 0.6, "n_answers": 4,
    }  # fmt: skip
    return pd.DataFrame([{**row, **changed}])


def made(weights: dict[str, float], intercept: float = 0.0, threshold: float = 0.5) -> acceptance.TaskFit:
    return acceptance.TaskFit.model_validate(
        {"weights": weights, "intercepts": {"en": intercept}, "thresholds": {"en": threshold}}
    )


def shipped() -> pd.DataFrame:
    return readings.read(SHIPPED)


def test_features_by_hand() -> None:
    """Log-odds of 0.2, 0.1, 0.6 and 0.5 are ln(1/4), ln(1/9), ln(3/2) and 0; of four answers, ln 4."""
    row = measured()
    found = {name: float(feature(row)[0]) for name, feature in FEATURES.items()}
    assert found == pytest.approx(
        {
            "similarity": 0.8, "larger_contradiction": math.log(1 / 4), "smaller_contradiction": math.log(1 / 9),
            "larger_entailment": math.log(3 / 2), "smaller_entailment": 0.0, "log_answers": math.log(4),
        }
    )  # fmt: skip
    assert tuple(FEATURES) == get_args(acceptance.FeatureName)


def test_probability_by_hand() -> None:
    """logistic(-1 + 2 * 0.8 + 0.5 * ln 4) = logistic(0.6 + ln 2) = 2e^0.6 / (1 + 2e^0.6)."""
    odds = 2 * math.exp(0.6)
    found = made({"similarity": 2.0, "log_answers": 0.5}, intercept=-1.0).probability(measured())
    assert found == pytest.approx([odds / (1 + odds)])


@pytest.mark.parametrize("changed", [{"similarity": math.nan}, {"entailment_backward": math.nan}, {"lang": "de"}])
def test_what_was_not_measured_has_no_probability(changed: dict[str, Any]) -> None:
    fit = made({"similarity": 2.0, "smaller_entailment": 0.5})
    assert np.isnan(fit.probability(measured(**changed))).all()


@given(st.floats(0, 1), st.floats(0, 1))
def test_probability_is_one_and_swaps_with_the_directions(forward: float, backward: float) -> None:
    fit = made(dict.fromkeys(FEATURES, 0.7))
    found = fit.probability(measured(contradiction_forward=forward, contradiction_backward=backward))[0]
    assert 0 <= found <= 1
    swapped = fit.probability(measured(contradiction_forward=backward, contradiction_backward=forward))[0]
    assert found == swapped


def test_the_shipped_fit_is_that_of_the_shipped_readings() -> None:
    targets = {PARAPHRASE: PARAPHRASE_TARGET, ALTERNATE: 0.9}
    found, _ = acceptance_fit.fit(shipped(), SHIPPED, targets)
    known = acceptance.load("embedded")
    assert found.models == known.models
    for task in (PARAPHRASE, ALTERNATE):
        for field in ("weights", "intercepts", "thresholds"):
            ours, theirs = getattr(found.of(task), field), getattr(known.of(task), field)
            assert ours == pytest.approx(theirs, abs=2e-3), (task, field)


def test_the_shipped_fit_parts_what_readers_accept_from_the_rest() -> None:
    """Cross-validated: alternates keep what they promise; paraphrases are ranked better than by chance everywhere."""
    targets = {PARAPHRASE: PARAPHRASE_TARGET, ALTERNATE: 0.9}
    _, results = acceptance_fit.fit(shipped(), SHIPPED, targets)
    table = acceptance_fit.report(results).set_index(["task", "lang"])
    assert table.loc[(ALTERNATE, "all"), "precision"] >= 0.88
    assert table.loc[(ALTERNATE, "all"), "recall"] >= 0.7
    assert table.loc[(PARAPHRASE, "all"), "precision"] >= 0.85
    assert (table["auc"] > 0.65).all()
    base = table["accepted"] / table["readings"]
    assert (table["precision"].dropna() > base[table["precision"].notna()]).all()


def test_weights_are_those_of_scikit_learn_on_scaled_features() -> None:
    """One language: the fold-back of scaling and language gives the plain regression's probabilities."""
    frame = shipped().query("task == 'paraphrase' and lang == 'zh'").reset_index(drop=True)
    x, y = acceptance_fit.matrix(frame), (frame["answer"] == "yes").to_numpy()
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    plain = LogisticRegression(C=acceptance_fit.PENALTY, max_iter=5000, tol=1e-10).fit(scaled, y)
    ours = acceptance_fit.fit_task(frame, 0.7).fit.probability(frame)
    assert ours == pytest.approx(plain.predict_proba(scaled)[:, 1], abs=0.01)


def test_a_set_is_never_in_both_parts_of_a_cross_validation() -> None:
    """With answers that only the set decides, nothing can be learnt for another set."""
    rng = np.random.default_rng(3)
    frame = shipped().query("task == 'alternate'").reset_index(drop=True)
    names = sorted(set(frame["set_id"]))
    said = dict(zip(names, rng.permutation(len(names)) % 2, strict=True))
    frame["answer"] = ["yes" if said[name] else "no" for name in frame["set_id"]]
    probability = acceptance_fit.cross_validated(frame)
    assert 0.35 < acceptance_fit.auc((frame["answer"] == "yes").to_numpy(), probability) < 0.65


def test_thresholds_by_hand() -> None:
    values = np.array([0.4, 0.85, 0.8, 0.6])
    expected = np.array([0.5, 0.95, 0.9, 0.7])  # means from the top: 0.95, 0.925, 0.85, 0.7625
    assert acceptance_fit.threshold(values, expected, 0.9) == 0.8
    assert acceptance_fit.threshold(values, expected, 0.85) == 0.6
    assert (
        acceptance_fit.threshold(values, expected, 0.97) == 0.97
    )  # none reaches it: what is that sure by itself would
    assert acceptance_fit.threshold(np.array([]), np.array([]), 0.9) == 0.9


def test_timid_probabilities_are_recalibrated_and_keep_their_order() -> None:
    """A language whose candidates at 0.7 are nearly all accepted, and at 0.3 nearly none: means go where answers are."""
    probability = np.repeat([0.7, 0.3], 50)
    accepted = np.array([True] * 48 + [False] * 2 + [True] * 3 + [False] * 47)
    found = acceptance_fit.recalibrated(probability, accepted)
    assert found[0] > 0.9
    assert found[-1] < 0.1
    assert acceptance_fit.threshold(probability, found, 0.9) == 0.7
    turned = acceptance_fit.recalibrated(probability, ~accepted)
    assert (turned == probability).all()
    assert (acceptance_fit.recalibrated(probability, np.ones(100, dtype=bool)) == probability).all()


def test_the_command_writes_a_fit_that_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "fit.yaml"
    main(["fit-acceptance", str(SHIPPED), "--paraphrase-target", "0.6", "--out", str(out)])
    printed = capsys.readouterr().out
    assert "paraphrase  all" in printed and str(out) in printed
    fit = acceptance.load(str(out))
    assert max(fit.paraphrase.thresholds.values()) < 0.7
    assert out.read_text(encoding="utf-8").startswith("# Acceptance of candidates, fitted by `dualpair fit-acceptance`")
    first = out.read_bytes()
    main(["fit-acceptance", str(SHIPPED), "--paraphrase-target", "0.6", "--out", str(out)])
    assert out.read_bytes() == first


BAD_READINGS = [
    ({"answer": "maybe"}, "row 2: answer 'maybe' is unknown (allowed: yes, no)"),
    ({"task": "both"}, "row 2: task 'both' is unknown (allowed: paraphrase, alternate)"),
    ({"lang": "xx"}, "row 2: lang 'xx' is unknown"),
    ({"similarity": "1.5"}, "row 2: similarity '1.5' is no number from -1 to 1"),
    ({"entailment_forward": ""}, "row 2: entailment_forward '' is no number from 0 to 1"),
    ({"n_answers": "0"}, "row 2: n_answers '0' is no number from 1"),
    ({"nli_model": "other"}, "column nli_model: found other, qwen2.5-coder-1.5b-instruct"),
]


@pytest.mark.parametrize(("changed", "message"), BAD_READINGS)
def test_bad_readings_are_refused_with_their_row(tmp_path: Path, changed: dict[str, str], message: str) -> None:
    frame = pd.read_csv(SHIPPED, dtype=str, keep_default_na=False).head(5)
    for name, value in changed.items():
        frame.loc[0, name] = value
    frame.to_csv(tmp_path / "r.csv", index=False)
    with pytest.raises(InputError, match=r"r\.csv") as caught:
        readings.read(tmp_path / "r.csv")
    assert message in str(caught.value)


def test_readings_without_a_column_and_too_few(tmp_path: Path) -> None:
    frame = pd.read_csv(SHIPPED, dtype=str, keep_default_na=False)
    frame.drop(columns=["n_answers"]).to_csv(tmp_path / "r.csv", index=False)
    with pytest.raises(InputError, match="columns n_answers are missing"):
        readings.read(tmp_path / "r.csv")
    with pytest.raises(InputError, match="no such file"):
        readings.read(tmp_path / "none.csv")
    with pytest.raises(InputError, match="cannot be read"):
        readings.read(tmp_path)
    with pytest.raises(InputError, match="at least 20 of each, of 6 sets, are needed"):
        acceptance_fit.fit(shipped().head(30), SHIPPED)
    with pytest.raises(InputError, match="paraphrase target 1: allowed is a number above 0 and below 1"):
        acceptance_fit.fit(shipped(), SHIPPED, {PARAPHRASE: 1.0, ALTERNATE: 0.9})


def test_accepted_candidates_of_one_set_only_are_too_few_to_validate(tmp_path: Path) -> None:
    frame = shipped()
    few = frame[frame["lang"] == "en"].assign(answer="no")
    one = few["set_id"].value_counts().index[0]
    few = pd.concat([few.assign(answer="yes")[few["set_id"] == one]] * 6 + [few], ignore_index=True)
    with pytest.raises(InputError, match="answered yes are of 1 sets; more than 9 are needed"):
        acceptance_fit.fit(few, SHIPPED)


def test_a_fit_is_written_into_a_new_folder_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "fit.yaml"
    main(["fit-acceptance", str(SHIPPED), "--out", str(out)])
    assert acceptance.load(str(out)).models == acceptance.load("embedded").models
    with pytest.raises(SystemExit) as stopped:
        main(["fit-acceptance", str(SHIPPED), "--out", str(tmp_path)])
    assert stopped.value.code == 2
    assert "Is a directory" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


BAD_FITS = [
    (("paraphrase", "weights"), {"length": 1.0}, "key `paraphrase.weights.length"),
    (("alternate", "thresholds"), {"en": 0.5}, "name the same languages"),
    (("models",), {"generators": [], "similarity": "a"}, "key `models.nli`"),
    (("more",), 1, "key `more`"),
    (
        ("alternate", "weights"),
        {"similarity": float("nan")},
        "key `alternate.weights.similarity`: Input should be a finite",
    ),
    (("paraphrase", "thresholds", "en"), float("inf"), "finite number (found inf)"),
    (("paraphrase", "thresholds", "en"), -0.5, "greater than or equal to 0 (found -0.5)"),
    (("paraphrase", "weights", "similarity"), "much", "(found 'much')"),
]


@pytest.mark.parametrize(("where", "value", "message"), BAD_FITS)
def test_bad_fits_are_refused_with_their_key(tmp_path: Path, where: tuple[str, ...], value: Any, message: str) -> None:
    data = yaml.safe_load(resource("acceptance", "embedded.yaml").read_text(encoding="utf-8"))
    inner = data
    for name in where[:-1]:
        inner = inner[name]
    inner[where[-1]] = value
    path = tmp_path / "fit.yaml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    with pytest.raises(InputError, match=r"fit\.yaml") as caught:
        acceptance.load(str(path))
    assert message in str(caught.value)


def test_a_fit_is_refused_for_other_models_and_languages() -> None:
    fit = acceptance.load("embedded")
    name = "qwen2.5-coder-1.5b-instruct"
    assert acceptance.problems(fit, "use-multilingual-v3", name, ["en", "zh"]) == []
    found = acceptance.problems(fit, "labse", name, ["en", "de"])
    assert len(found) == 3
    assert "`roles.similarity` is labse" in found[0]
    assert all("no fit of" in text and "for de (it has for en, es, ru, zh)" in text for text in found[1:])
