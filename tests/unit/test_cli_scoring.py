"""`dualpair score` and `dualpair probe`: the user's own tables and pairs, on a tiny model of a config's registry."""

from __future__ import annotations

import csv
import json
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from dualpair import artifacts, cli, scoring
from dualpair.errors import InputError
from dualpair.scoring import context as contexts
from dualpair.scoring.causal import CausalEngine
from dualpair.scoring.pairs_file import Pair, read_pairs, write_scores
from tests.unit import tiny_models

ROOT = Path(__file__).resolve().parents[2]
ROWS = [
    ("Women", " talk a lot.", "en"),
    ("Boys", " talk.", "en"),
    ("睡着的孩子", "最可爱。", "zh"),
    ("Boys", " talk.", "en"),
]


@pytest.fixture(scope="module")
def lm() -> Any:
    return tiny_models.loaded("llama", tiny_models.with_chat(tiny_models.byte_level()))


@pytest.fixture(scope="module")
def config(lm: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A config file that names the tiny model."""
    folder = tmp_path_factory.mktemp("models")
    lm.model.save_pretrained(folder / "tiny")
    lm.tokenizer.save_pretrained(folder / "tiny")
    lm.model.save_pretrained(folder / "base")
    tiny_models.byte_level_with_bos(adds=False).save_pretrained(folder / "base")
    data = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    data["models"] = {
        name: {"kind": "causal", "source": f"path:{folder / name}", "engine": "transformers", "dtype": "float32"}
        for name in ("tiny", "base")
    }
    data["execution"]["device"] = "cpu"
    (folder / "my.yaml").write_text(yaml.safe_dump(data), encoding="utf-8")
    return folder / "my.yaml"


@pytest.fixture
def run(config: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def command(*arguments: Any, status: int = 0) -> str:
        given = [str(arguments[0]), "--config", str(config), *map(str, arguments[1:])]
        if "--model" not in given:
            given += ["--model", "tiny"]
        if not status:
            cli.main(given)
            return capsys.readouterr().out
        with pytest.raises(SystemExit) as error:
            cli.main(given)
        assert error.value.code == status
        return capsys.readouterr().err

    return command


def table(
    path: Path, rows: list[tuple[str, ...]] = ROWS, names: tuple[str, ...] = ("prefix", "continuation", "lang")
) -> Path:
    """The rows in the format that the file's name says."""
    frame = pd.DataFrame(rows, columns=list(names))
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".jsonl":
        path.write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in frame.to_dict("records")), "utf-8"
        )
    else:
        frame.to_csv(path, sep="\t" if path.suffix == ".tsv" else ",", index=False)
    return path


# ---- score


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".jsonl"])
def test_every_format_in_gives_the_same_scores_in_input_order(suffix: str, tmp_path: Path, run: Any, lm: Any) -> None:
    out = tmp_path / "out.parquet"
    printed = run("score", "--in", table(tmp_path / f"in{suffix}"), "--out", out)
    assert printed == f"{out}: 4 rows, 4 scored\n"
    found = artifacts.read(out, "scored_pairs")
    assert found["row"].tolist() == [1, 2, 3, 4]
    assert list(zip(found["prefix"], found["continuation"], found["lang"], strict=True)) == ROWS
    wanted = scoring.score(CausalEngine(lm), [(row[0], row[1]) for row in ROWS])
    assert found["logprob_sum"].tolist() == pytest.approx(wanted["logprob_sum"].tolist(), abs=1e-3)
    assert found["sentence_id"].tolist() == wanted["sentence_id"].tolist()
    assert found["token_ids"].tolist() == [[], [], [], []]
    assert found["model_revision"].str.startswith("path:").all()
    assert found["engine"].unique().tolist() == ["transformers"]
    model = artifacts.provenance(out)["provenance"]["model"]
    assert model["weights"] == found["model_revision"][0]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
def test_text_formats_out_hold_what_parquet_holds(suffix: str, tmp_path: Path, run: Any) -> None:
    source = table(tmp_path / "in.csv")
    run("score", "--in", source, "--out", tmp_path / "a.parquet")
    run("score", "--in", source, "--out", tmp_path / f"b{suffix}")
    wanted = artifacts.read(tmp_path / "a.parquet", "scored_pairs")
    path = tmp_path / f"b{suffix}"
    if suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert rows[0]["kept"] is True
    else:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t" if suffix == ".tsv" else ","))
    assert [row["continuation"] for row in rows] == [row[1] for row in ROWS]
    assert [int(row["row"]) for row in rows] == [1, 2, 3, 4]
    assert [float(row["logprob_sum"]) for row in rows] == wanted["logprob_sum"].tolist()
    assert "token_ids" not in rows[0]


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_token_columns_on_request(suffix: str, tmp_path: Path, run: Any) -> None:
    out = tmp_path / f"t{suffix}"
    run("score", "--in", table(tmp_path / "in.csv"), "--out", out, "--tokens", "--context", "Las mujeres hablan. ")
    frame = pd.read_parquet(out) if suffix == ".parquet" else pd.read_json(out, lines=True)
    for row in frame.itertuples():
        assert len(row.token_ids) == len(row.token_logprobs) + 1 == len(row.token_ends) + row.n_bos + row.n_context
        assert sum(row.token_logprobs[-row.n_tokens :]) == pytest.approx(row.logprob_sum)
        assert row.n_context > 0
    if suffix == ".parquet":
        assert artifacts.provenance(out)["provenance"]["context"] == {"text": "Las mujeres hablan. "}


def test_join_adds_the_space_that_the_language_needs(
    tmp_path: Path, run: Any, caplog: pytest.LogCaptureFixture
) -> None:
    source = table(
        tmp_path / "in.csv", [("Women", "talk.", "en"), ("Boys", " talk.", "en"), ("女人", "话很多。", "zh")]
    )
    run("score", "--in", source, "--out", tmp_path / "v.parquet")
    assert f"{source}: row 1: 'talk.' begins without the space that its language needs (--join adds it)" in caplog.text
    assert "row 2" not in caplog.text and "row 3" not in caplog.text
    caplog.clear()
    run("score", "--in", source, "--out", tmp_path / "j.parquet", "--join")
    assert caplog.text == ""
    verbatim, joined = (artifacts.read(tmp_path / f"{name}.parquet", "scored_pairs") for name in "vj")
    assert verbatim["continuation"].tolist() == ["talk.", " talk.", "话很多。"]
    assert joined["continuation"].tolist() == [" talk.", " talk.", "话很多。"]


def test_many_missing_spaces_are_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = table(tmp_path / "in.csv", [("Women", "talk.", "en")] * 9)
    read_pairs(path)
    assert len(caplog.records) == 6
    assert "4 further rows" in caplog.text


def test_a_row_that_cannot_be_scored_keeps_its_place_and_its_reason(
    tmp_path: Path, run: Any, caplog: pytest.LogCaptureFixture
) -> None:
    source = table(
        tmp_path / "in.csv", [("Women", " talk.", "en"), ("Boys", " talk" * 400, "en"), ("Boys", " talk.", "en")]
    )
    printed = run("score", "--in", source, "--out", tmp_path / "o.parquet")
    assert "3 rows, 2 scored" in printed
    frame = artifacts.read(tmp_path / "o.parquet", "scored_pairs")
    assert frame["kept"].tolist() == [True, False, True]
    assert "longer than" in frame["reason"][1]
    assert f"{source}: row 2 was not scored: " in caplog.text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prefix,text\nA, b\n", "column 'continuation' is not there (columns found: prefix, text)"),
        ("prefix,continuation\n", "no data row; the table needs the columns prefix, continuation"),
        ("", "no data row"),
        ("prefix,continuation\nA, b\nA,  \n", "row 2 (line 3): column 'continuation' is empty: nothing to score"),
        (
            "prefix,continuation,lang\nA, b,en\nA, b,eng\n",
            "row 2 (line 3): column 'lang': unknown language 'eng' (allowed: ",
        ),
        ("prefix,continuation\nA, b\nA, b, c\n", "row 2 (line 3): 3 cells, expected 2; quote cells"),
        ('prefix,continuation\nA," b\n', "line 2: unexpected end of data (noticed in line 2); check the quotes"),
        ("prefix;continuation\nA; b\n", "it seems to be separated by semicolon: set --delimiter semicolon"),
        ("prefix,continuation\nA\x00, b\n", "line 2: a NUL character"),
        ('prefix,continuation\nA,"b\nB, c\nC,"d\n', "or set --quotes none"),
        ("prefix,continuation,prefix\nA, b,A\n", "header: column 'prefix' occurs twice"),
    ],
)
def test_a_bad_table_names_file_row_column_and_fix(text: str, message: str, tmp_path: Path, run: Any) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    printed = run("score", "--in", path, "--out", tmp_path / "o.parquet", status=2)
    assert printed.startswith(f"dualpair: {path}: ")
    assert message in printed
    assert not (tmp_path / "o.parquet").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"prefix": "A", "continuation": 7}\n', "row 1 (line 1): column 'continuation': found 7; write a text"),
        ('{"prefix": "A", "continuation": " b"}\n\n{"prefix": "A"\n', "line 3: not JSON"),
        ('["A", " b"]\n', "line 1: ['A', ' b'] is no object"),
        ('{"prefix": null, "continuation": " b"}\n', "row 1 (line 1): column 'prefix': found None; write a text"),
        ('{"prefix": "A", "continuation": " b", "prefix": "B"}\n', "line 1: key 'prefix' occurs twice"),
        ('{"prefix": "A", "continuation": " b"}\n{"prefix": "A"}\n', "row 2 (line 2): column 'continuation': this"),
        ('{"prefix": "A", "continuation": " \\ud83d."}\n', "column 'continuation': holds half a character (the lone"),
    ],
)
def test_bad_json_lines_are_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_pairs(path)
    assert message in str(error.value)


def test_unusual_but_right_tables_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes('\ufeff note ,prefix,continuation\r\n"a, b",NA," said ""no""."\r\n\r\n,女\u2028人, b\r\n'.encode())
    assert read_pairs(path) == [Pair(1, "NA", ' said "no".', ""), Pair(2, "女\u2028人", " b", "")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--in", "x.xlsx", "--out", "o.parquet"], "--in x.xlsx: unknown kind of file '.xlsx' (allowed: .csv, .tsv"),
        (["--in", "x.csv", "--out", "o.txt"], "--out o.txt: unknown kind of file '.txt'"),
        (["--in", "x.csv", "--out", "o.csv", "--tokens"], "--out o.csv: .csv has no lists for --tokens"),
        (["--in", "nowhere.csv", "--out", "o.csv"], "nowhere.csv: no such file"),
        (["--in", "{table}", "--out", "in.csv"], "--out in.csv: is the table itself"),
        (["--in", "{table}", "--out", "../x/nowhere/o.csv"], "there is no folder ../x/nowhere; make it"),
        (["--in", "{table}", "--out", "folder.csv"], "--out folder.csv: is a folder"),
        (["--in", "{table}", "--out", "o.csv", "--encoding", "utf-9"], "--encoding utf-9: no such encoding"),
        (["--in", "{table}", "--out", "o.csv", "--chat-message", "Hi"], "under --context chat_template; add that"),
        (["--in", "{table}", "--out", "o.csv", "--context", "On \udcff."], "--context: holds half a character"),
        (["--in", "{table}", "--out", "o.csv", "--context", "chat"], None),
        (["--in", "{table}", "--out", "o.csv", "--context", "chat-template"], "did you mean 'chat_template'?"),
        (["--in", "{table}", "--out", "o.csv", "--context", "chat_template"], "give it with --chat-message"),
        (["--in", "{table}", "--out", "o.csv", "--model", "tinny"], "model 'tinny' is no causal model and no masked"),
        (
            [
                "--in",
                "{table}",
                "--out",
                "o.csv",
                "--model",
                "base",
                "--context",
                "chat_template",
                "--chat-message",
                "Hi",
            ],
            "model 'base' has no chat template",
        ),
    ],
)
def test_bad_options_are_refused(
    arguments: list[str], message: str | None, tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.csv").mkdir()
    given = [str(table(tmp_path / "in.csv")) if word == "{table}" else word for word in arguments]
    if message is None:
        assert "4 scored" in run("score", *given)  # a text like any other
        return
    assert message in run("score", *given, status=2)


def test_writing_refuses_what_it_cannot_hold(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown kind of file"):
        write_scores(pd.DataFrame({"row": []}), tmp_path / "x.npy")


def test_a_target_that_cannot_be_written_is_refused_before_scoring(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != tmp_path)
    assert "cannot be written to" in run(
        "score", "--in", table(tmp_path / "in.csv"), "--out", tmp_path / "o.csv", status=2
    )


def test_tables_in_other_encodings_separators_and_with_long_cells_are_read(tmp_path: Path, run: Any) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes("prefix;continuation;note\nСпящие дети; прекрасны.;x\n".encode("cp1251"))
    assert "set --encoding" in run("score", "--in", path, "--out", tmp_path / "o.parquet", status=2)
    out = tmp_path / "o.parquet"
    run("score", "--in", path, "--out", out, "--encoding", "cp1251", "--delimiter", "semicolon")
    assert artifacts.read(out, "scored_pairs")["prefix"].tolist() == ["Спящие дети"]
    limit = csv.field_size_limit()
    path.write_text(f"prefix,continuation\nA,{' b' * 100_000}\n", encoding="utf-8")
    assert len(read_pairs(path)[0].continuation) == 200_000
    assert csv.field_size_limit() == limit


def test_a_special_token_in_a_text_is_a_reason_and_not_a_command(tmp_path: Path, run: Any) -> None:
    source = table(tmp_path / "in.csv", [("Women", " talk.<|end|>", "en"), ("Boys", " talk.", "en")])
    run("score", "--in", source, "--out", tmp_path / "o.parquet")
    frame = artifacts.read(tmp_path / "o.parquet", "scored_pairs")
    assert frame["kept"].tolist() == [False, True]
    assert "the text holds the special token '<|end|>' (character 12)" in frame["reason"][0]


@pytest.mark.parametrize("command", ["score", "probe"])
def test_a_vllm_model_names_the_command_that_runs_it(
    command: str, config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = yaml.safe_load(config.read_text(encoding="utf-8"))
    data["models"]["tiny"]["engine"] = "vllm"
    data["execution"]["vllm_python"] = "/opt/v llm/bin/python"
    (tmp_path / "v.yaml").write_text(yaml.safe_dump(data), encoding="utf-8")
    rest = PAIR if command == "probe" else ["--in", str(table(tmp_path / "in.csv")), "--out", str(tmp_path / "o.csv")]
    words = [command, "--config", str(tmp_path / "v.yaml"), "--model", "tiny", *rest]
    with pytest.raises(SystemExit) as error:
        cli.main(words)
    assert error.value.code == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert shlex.split(line) == ["/opt/v llm/bin/python", "-m", "dualpair.cli", *words]


# ---- probe

PAIR = ["--groups", "Women", "Boys", "--attribute", "talk a lot", "--alternate", "talk", "--lang", "en", "--mark", "."]


def numbers(line: str) -> list[float]:
    return [
        float(word.rstrip(",")) for word in line.replace("=", " ").split() if word.rstrip(",").lstrip("-")[:1].isdigit()
    ]


def test_probe_prints_the_measures_of_the_scores(run: Any, lm: Any) -> None:
    first, second, against, information, meaning = run("probe", *PAIR).splitlines()
    frame = scoring.score(CausalEngine(lm), [(g, t) for t in (" talk a lot.", " talk.") for g in ("Women", "Boys")])
    means = (frame["logprob_sum"] / frame["n_tokens"]).tolist()
    assert numbers(first)[:2] == pytest.approx([means[0], means[2]], abs=1e-3)
    assert numbers(second)[:2] == pytest.approx([means[1], means[3]], abs=1e-3)
    assert numbers(against)[0] == pytest.approx(means[0] - means[1], abs=1e-3)
    assert first.startswith("Women: x = ") and "nats per token" in first
    assert information.startswith("I_GxA = ") and information.endswith(" bits")
    assert meaning.startswith("tiny leans to the attribute")


@pytest.mark.parametrize(
    ("normalisation", "unit"),
    [("sum", "nats"), ("char", "nats per character"), ("byte", "nats per byte"), ("mean", "nats per token")],
)
def test_probe_names_the_unit_of_its_normalisation(normalisation: str, unit: str, run: Any, lm: Any) -> None:
    lines = run("probe", *PAIR, "--normalisation", normalisation, "--scope", "sentence").splitlines()
    assert f" {unit}, q = " in lines[0]
    assert lines[2].endswith(f" {unit}")
    row = scoring.score(CausalEngine(lm), [("Women", " talk a lot.")]).iloc[0]
    divisor = {"sum": 1, "char": len("Women talk a lot."), "byte": len("Women talk a lot.")}.get(
        normalisation, row["prefix_n_tokens"] + row["n_tokens"]
    )
    assert numbers(lines[0])[0] == pytest.approx((row["prefix_logprob_sum"] + row["logprob_sum"]) / divisor, abs=1e-3)


def test_probe_behind_a_chat_and_over_the_divergent_part(run: Any, lm: Any) -> None:
    chat = ["--context", "chat_template", "--chat-message", "Go on."]
    pair = ["--groups", "Women talk", "Women", "--attribute", "a lot", "--alternate", "at maths", "--lang", "en"]
    (line, *_) = run("probe", *pair, *chat, "--scope", "divergent", "--normalisation", "sum").splitlines()
    row = scoring.score(CausalEngine(lm), [("Women talk", " a lot")], contexts.chat("Go on."), tokens=True).iloc[0]
    same = len(lm.tokenizer("Women").input_ids)  # what " talk" and " a" do not share begins with their space
    assert numbers(line)[0] == pytest.approx(sum(row["token_logprobs"][row["n_context"] + same :]), abs=1e-3)


def test_probe_says_when_a_sentence_never_diverges(run: Any) -> None:
    pair = ["--groups", "talk", "talk talk", "--attribute", "talk", "--alternate", "Women", "--lang", "en"]
    assert "--scope divergent: a sentence ends before it differs" in run(
        "probe", *pair, "--scope", "divergent", status=2
    )
    assert "I_GxA" in run("probe", *pair)


def test_probe_names_group_and_side_of_what_cannot_be_scored(run: Any) -> None:
    long = ["--groups", "Women", "Boys", "--attribute", "talk", "--alternate", "talk " * 400, "--lang", "en"]
    printed = run("probe", *long, status=2)
    assert printed.startswith("dualpair: group 'Women' with --alternate: model 'tiny': ")
    assert "longer than" in printed


def test_probe_takes_texts_without_the_space_around_them(run: Any) -> None:
    spaced = ["--groups", " Women", "Boys ", "--attribute", " talk a lot", "--alternate", "talk ", *PAIR[-4:]]
    assert run("probe", *spaced) == run("probe", *PAIR)
    twice = ["--groups", "Women", "Women ", "--attribute", "talk", "--alternate", "nap", "--lang", "en"]
    assert "two of them are equal" in run("probe", *twice, status=2)


def test_probe_refuses_half_a_character(run: Any) -> None:
    pair = ["--groups", "Women \ud83d", "Boys", "--attribute", "talk", "--alternate", "nap", "--lang", "en"]
    assert "holds half a character (the lone surrogate U+D83D, character 7)" in run("probe", *pair, status=2)


def test_a_text_context_without_its_final_space_is_warned_about(run: Any, caplog: pytest.LogCaptureFixture) -> None:
    run("probe", *PAIR, "--context", "They say:")
    assert "--context does not end in a space, and none is added: 'They say:'" in caplog.text
    caplog.clear()
    run("probe", *PAIR, "--context", "They say: ")
    assert caplog.text == ""


@pytest.mark.model
def test_a_built_in_model_scores_a_table_behind_its_own_chat_template(tmp_path: Path) -> None:
    source = table(tmp_path / "in.csv", [("Women", "talk a lot.", "en"), ("Boys", "talk.", "en")])
    arguments = ["--model", "smollm2-135m-instruct", "--in", str(source), "--out", str(tmp_path / "c.parquet")]
    chat = ["--context", "chat_template", "--chat-message", "Describe them."]
    cli.main(["score", *arguments, *chat, "--join", "--tokens"])
    frame = artifacts.read(tmp_path / "c.parquet", "scored_pairs")
    for row in frame.itertuples():
        assert row.token_ids.count(row.token_ids[0]) == row.n_bos == 1
        assert row.n_context > 10
        assert sum(row.token_logprobs[-row.n_tokens :]) == pytest.approx(row.logprob_sum)
    assert frame["token_ids"][0][: frame["n_context"][0]] == frame["token_ids"][1][: frame["n_context"][1]]
