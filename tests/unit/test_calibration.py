"""The judge's calibration: labelled pairs, fit, cross-validation, suggestions, and the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
import yaml

from dualpair import cli, paths
from dualpair import config as configs
from dualpair.errors import InputError
from dualpair.filters import calibrate, calibration, judge, nli, quality
from dualpair.models.registry import Calibration, ModelEntry
from tests.unit import tiny_models
from tests.unit.test_nli import save_classifier

GOOD = "lang,premise,hypothesis,label\nen,A.,B.,opposite\n"


class Told:
    """A model that gives fixed log-probabilities by text, and counts what it is asked."""

    def __init__(self, numbers: dict[tuple[str, str], tuple[float, float, float]]) -> None:
        self.numbers, self.asked = numbers, 0

    def logprobs(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float64]:
        self.asked += len(pairs)
        return np.array([self.numbers[pair] for pair in pairs])


def many(premises: int = 20) -> pd.DataFrame:
    """Labelled pairs of two languages: an opposite, a paraphrase and an unrelated one of each premise."""
    rows = [
        (("en", "es")[number % 2], f"p{number}", f"{label}{number}", label)
        for number in range(premises)
        for label in ("opposite", "paraphrase", "unrelated")
    ]
    return pd.DataFrame(rows, columns=["lang", "premise", "hypothesis", "label"])


def raw_of(frame: pd.DataFrame, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.where(frame["label"] == "opposite", 2.0, -2.0)[:, None] + rng.normal(0, 1.5, (len(frame), 2))


# ---- labelled pairs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lang,premise,label\nen,A.,opposite\n", "columns hypothesis are missing"),
        (
            GOOD + "en,A.,C.,other\n",
            "row 3: label 'other' is unknown .allowed: opposite, paraphrase, unrelated, different",
        ),
        (GOOD + "xx,A.,C.,opposite\n", "row 3: lang 'xx' is unknown .allowed: ar, bn"),
        (GOOD + "en,A.,,opposite\n", "row 3: .* two different texts"),
        (GOOD + "en,A.,A.,paraphrase\n", "row 3: .* two different texts"),
        (GOOD + "en,A.,B.,paraphrase\n", "row 3: the same pair as in row 2"),
        ("", "cannot be read as CSV"),
    ],
)
def test_a_bad_file_of_pairs_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        calibration.read_pairs(path)


def test_a_file_that_is_not_there_or_no_utf8_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        calibration.read_pairs(tmp_path / "nothing.csv")
    (tmp_path / "latin.csv").write_bytes(GOOD.encode() + "es,Año.,B.,opposite\n".encode("latin-1"))
    with pytest.raises(InputError, match="UTF-8"):
        calibration.read_pairs(tmp_path / "latin.csv")


def test_too_few_pairs_are_refused(tmp_path: Path) -> None:
    calibration.check_enough(many(10), tmp_path)
    with pytest.raises(InputError, match="9 opposites and 9 paraphrases on 9 premises"):
        calibration.check_enough(many(9), tmp_path)


# ---- fit


def test_fit_recovers_a_known_calibration() -> None:
    rng = np.random.default_rng(5)
    raw = rng.normal(0.0, 3.0, 20_000)
    opposite = rng.random(20_000) < 1 / (1 + np.exp(-(0.8 * raw - 1.2)))
    found = calibration.fit(np.stack([raw, raw + rng.exponential(4.0, 20_000)], axis=1), opposite)  # the smaller counts
    assert found.scale == pytest.approx(0.8, abs=0.03)
    assert found.bias == pytest.approx(-1.2, abs=0.05)
    assert found.probability(np.array([-found.bias / found.scale]))[0] == pytest.approx(0.5)


def test_a_premise_is_never_fitted_and_reported_together() -> None:
    frame = many()
    raw = raw_of(frame)
    for train, test in calibration.folds(frame):
        assert set(frame.premise[train]).isdisjoint(frame.premise[test])
        assert {*frame.label[test]} == {"opposite", "paraphrase", "unrelated"}
    found = calibration.cross_validated(frame, raw)
    assert np.isfinite(found).all()
    train, test = calibration.folds(frame)[0]
    alone = calibration.fit(raw[train], (frame.label == "opposite").to_numpy()[train])
    np.testing.assert_allclose(found[test], alone.probability(raw[test]))


def test_suggested_thresholds_by_hand() -> None:
    frame = pd.DataFrame({"label": ["opposite"] * 3 + ["unrelated", "paraphrase", "paraphrase", "paraphrase"]})
    both = np.array([[p, p] for p in (0.95, 0.855, 0.605, 0.805, 0.755, 0.305, 0.105)])
    found = calibration.suggest(frame, both, target=1.0)
    assert found["nli_alternate"] == pytest.approx((0.81, 1.0, 2 / 3))  # just above the unrelated pair
    assert found["nli_paraphrase"] == pytest.approx((0.6, 1.0, 2 / 3))  # just below the third opposite
    frame.loc[0, "label"] = "unrelated"
    assert calibration.suggest(frame, both, target=1.0)["nli_alternate"].threshold is None


def test_calibrated_probability_is_that_of_the_fit() -> None:
    """The log-probabilities that are stored, through the registry's calibration, give what the fit gave."""
    frame = many(3)
    numbers = {}
    for row in frame.itertuples():
        numbers[str(row.premise), str(row.hypothesis)] = (-1.0, -2.0, -0.5)
        numbers[str(row.hypothesis), str(row.premise)] = (-0.5, -2.5, -3.0)
    model = Told(numbers)
    scored, _ = calibration.scored(frame, model, {"model": "m", "dtype": "float32", "prompt": "p"})
    assert model.asked == 2 * len(frame)
    raw = calibration.raw_scores(scored)
    expected = [-0.5 - np.logaddexp(-1.0, -2.0), -3.0 - np.logaddexp(-0.5, -2.5)]
    np.testing.assert_allclose(raw, np.tile(expected, (len(frame), 1)))
    fit = Calibration(dtype="float32", prompt="p", scale=1.5, bias=-0.5)
    np.testing.assert_allclose(
        calibration.contradiction(scored, fit), calibration.Fit(1.5, -0.5).probability(raw), atol=1e-12
    )


# ---- the command


def scored_file(folder: Path, name: str, prompt: str) -> Path:
    """A file of pairs with log-probabilities, as `--scores` writes it."""
    frame = many()
    raw = raw_of(frame)
    columns = {}
    for side, direction in enumerate(calibration.DIRECTIONS):
        columns[f"log_entailment_{direction}"] = columns[f"log_neutral_{direction}"] = np.full(len(frame), -3.0)
        columns[f"log_contradiction_{direction}"] = raw[:, side] + np.log(2) - 3.0
    path = folder / "scored.csv"
    frame.assign(**columns, model=name, dtype="float32", prompt=prompt).to_csv(path, index=False)
    return path


def judge_entry(**more: object) -> ModelEntry:
    return ModelEntry.model_validate(
        {"kind": "causal", "source": "path:/nowhere", "engine": "transformers", "tuning": "instruct", **more}
    )


def test_the_command_fits_scored_pairs_without_the_model(tmp_path: Path) -> None:
    prompt = judge.judge_prompt().id
    others = [
        {"dtype": "bfloat16", "prompt": prompt, "scale": 9.0, "bias": 1.0},
        {"dtype": "float32", "prompt": prompt, "scale": 8.0, "bias": 2.0},
    ]
    path = scored_file(tmp_path, "mine", prompt)
    options = calibrate.Options("mine", path, "float32", out=tmp_path / "fit.yaml")
    text = calibrate.run({"mine": judge_entry(calibration=others)}, "x.yaml", options)
    written = yaml.safe_load((tmp_path / "fit.yaml").read_text(encoding="utf-8"))["models"]["mine"]["calibration"]
    frame = calibration.read_pairs(path)
    frame = frame.astype(dict.fromkeys(calibration.LOGPROBS, "float64"))
    fit = calibration.fit(calibration.raw_scores(frame), (frame["label"] == "opposite").to_numpy())
    assert written == [
        others[0],
        {"dtype": "float32", "prompt": prompt, "scale": round(fit.scale, 4), "bias": round(fit.bias, 4)},
    ]
    assert "no call made" in text
    for word in ("auc", "brier", "alternate_recall", "en ", "es ", "all ", "scale 8.0, bias 2.0", "nli_alternate"):
        assert word in text
    validated = judge_entry(calibration=written)
    assert judge.calibration_for(validated, "float32").scale == round(fit.scale, 4)


@pytest.mark.parametrize(
    ("name", "prompt", "message"),
    [("other", None, "column model says 'mine', but this is 'other'"), ("mine", "0ld", "column prompt says '0ld'")],
)
def test_log_probabilities_of_another_model_or_prompt_are_refused(
    tmp_path: Path, name: str, prompt: str | None, message: str
) -> None:
    path = scored_file(tmp_path, "mine", prompt or judge.judge_prompt().id)
    with pytest.raises(InputError, match=message):
        calibrate.run({name: judge_entry()}, "x.yaml", calibrate.Options(name, path, "float32"))


def test_the_command_names_what_can_judge(tmp_path: Path) -> None:
    models = {"good": judge_entry(), "base": judge_entry(tuning="base")}
    with pytest.raises(InputError, match=r"'bad' is not in x.yaml \(can judge: good\)"):
        calibrate.run(models, "x.yaml", calibrate.Options("bad", None))
    with pytest.raises(InputError, match="tuning base: a judge is"):
        calibrate.run(models, "x.yaml", calibrate.Options("base", None))
    with pytest.raises(InputError, match="cannot be written"):
        calibrate.run(models, "x.yaml", calibrate.Options("good", None, out=tmp_path / "no" / "fit.yaml"))


def test_the_command_line_measures_a_real_judge_and_a_classifier(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tiny random models from folders: the numbers mean nothing, the way is the whole one."""
    lm = tiny_models.loaded("llama")
    lm.model.save_pretrained(tmp_path / "judge")
    lm.tokenizer.save_pretrained(tmp_path / "judge")
    save_classifier(tmp_path / "classifier", {0: "contradiction", 1: "neutral", 2: "entailment"})
    config = yaml.safe_load((paths.home() / "config" / "test.yaml").read_text(encoding="utf-8"))
    tiny = {"source": f"path:{tmp_path / 'judge'}", "kind": "causal", "engine": "transformers", "tuning": "instruct"}
    config["models"] = {
        **(config.get("models") or {}),
        "tiny": tiny,
        "tiny-nli": {"source": f"path:{tmp_path / 'classifier'}", "kind": "nli_classifier", "engine": "transformers"},
    }
    (tmp_path / "config.yaml").write_text(json.dumps(config), encoding="utf-8")
    frame = many(10)
    frame["premise"] = [f"Women talk{' talk' * (i // 3)}." for i in range(len(frame))]
    frame["hypothesis"] = [f"Boys are good {'at maths ' * (i % 3)}." for i in range(len(frame))]
    frame.to_csv(tmp_path / "inverted.csv", index=False)
    frame["hypothesis"] = [f"Boys are good {'at maths ' * (2 - i % 3)}." for i in range(len(frame))]
    frame.to_csv(tmp_path / "pairs.csv", index=False)
    common = ["--config", str(tmp_path / "config.yaml"), "--pairs", str(tmp_path / "pairs.csv")]
    out, scores = tmp_path / "fit.yaml", tmp_path / "scores.csv"
    words = ["calibrate-judge", "--model", "tiny", *common, "--dtype", "float32"]
    cli.main([*words, "--out", str(out), "--scores", str(scores)])
    assert "directed pairs a second" in capsys.readouterr().out
    cli.main([*words[:-3], str(scores), "--dtype", "float32"])  # the same pairs from what was written: no call
    assert "no call made" in (again := capsys.readouterr().out)
    lines = yaml.safe_load(out.read_text(encoding="utf-8"))["models"]["tiny"]
    (fit,) = lines["calibration"]
    assert f"scale: {fit['scale']}" in again
    assert set(lines["thresholds"]) == {"nli_paraphrase", "nli_alternate"}  # the entry has none
    # The config may name the judge before it is calibrated, and is whole with what the command wrote.
    config["roles"]["nli"] = "tiny"
    config["filters"]["acceptance"] = None  # the shipped fit is of another judge
    (tmp_path / "config.yaml").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(configs.ConfigError, match=r"nli_paraphrase. is missing[\s\S]*no .calibration."):
        configs.load_file(tmp_path / "config.yaml")
    cli.main([*words, "--out", str(out)])
    capsys.readouterr()
    config["models"]["tiny"] = tiny | {"dtype": "float32"} | lines
    assert configs.load(config).roles.nli == "tiny"
    inverted = ["calibrate-judge", "--model", "tiny", *common[:-1], str(tmp_path / "inverted.csv")]
    with pytest.raises(SystemExit):
        cli.main([*inverted, "--dtype", "float32", "--out", str(tmp_path / "none.yaml")])
    assert "its opposites score no higher than the others" in capsys.readouterr().err
    assert not (tmp_path / "none.yaml").exists()
    cli.main(["calibrate-judge", "--model", "tiny-nli", *common])
    assert "thresholds" in (told := capsys.readouterr().out)
    assert "scale" not in told
    with pytest.raises(SystemExit):
        cli.main(["calibrate-judge", "--model", "tiny-nli", *common, "--dtype", "bfloat16"])
    assert "a classifier runs in float32" in capsys.readouterr().err


# ---- the shipped pairs


def test_shipped_pairs_are_balanced_and_apart() -> None:
    train = calibration.read_pairs(paths.resource("judge", "pairs.csv"))
    test = calibration.read_pairs(paths.resource("judge", "test.csv"))
    assert set(train.groupby(["lang", "label"]).size()) == {20}
    assert set(test.groupby(["lang", "label"]).size()) == {15}
    assert set(train.lang) == set(test.lang) == {"en", "es", "ru", "zh"}
    texts = [set(frame.premise) | set(frame.hypothesis) for frame in (train, test)]
    assert texts[0].isdisjoint(texts[1])  # no sentence of the test was seen by the fit
    idioms = test[test.idiom == "yes"].groupby("lang").premise.nunique()
    assert (idioms >= 5).all()
    changes = test[test.label == "different"].change
    assert set(changes) == {"other", "narrower", "weaker", "stronger"}
    assert (test.change[test.label != "different"] == "").all()


@pytest.mark.parametrize("name", ["pairs", "test"])
def test_scored_pairs_are_those_that_are_shipped(name: str) -> None:
    """The log-probabilities belong to the pairs as they are now, and to the judge's prompt."""
    plain = calibration.read_pairs(paths.resource("judge", f"{name}.csv"))
    scored = calibration.read_pairs(paths.resource("judge", "scores", f"{name}.float32.csv"))
    pd.testing.assert_frame_equal(scored[list(plain.columns)], plain)
    assert set(scored.prompt) == {judge.judge_prompt().id}
    assert set(scored["dtype"]) == {"float32"}
    assert (scored[list(calibration.LOGPROBS)].astype("float64") <= 0).all(axis=None)


def test_shipped_float32_calibration_is_the_fit_of_the_shipped_pairs() -> None:
    from dualpair.models.registry import builtin_models

    frame = calibration.read_pairs(paths.resource("judge", "scores", "pairs.float32.csv"))
    frame = frame.astype(dict.fromkeys(calibration.LOGPROBS, "float64"))
    entry = ModelEntry.model_validate(builtin_models()[frame.model[0]])
    fit = calibration.fit(calibration.raw_scores(frame), (frame["label"] == quality.OPPOSITE).to_numpy())
    have = nli.calibration_of(entry, "float32")
    assert have is not None
    assert have.scale == pytest.approx(fit.scale, abs=2e-3)
    assert have.bias == pytest.approx(fit.bias, abs=5e-3)
