"""Loading causal models from tiny random checkpoints on disk: adapters, subfolders, tokenizers, dtypes, and refusals."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dualpair import paths
from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import adapter, causal_lm, checkpoint, masked_lm, weights
from dualpair.models.registry import ModelEntry
from tests.unit import tiny_masked, tiny_models

COMMIT = "0123456789abcdef0123456789abcdef01234567"
TEXT = "Boys are good at maths."


def logits(model: Any) -> Any:
    """float32 (tokens, vocabulary) of a fixed row of token ids."""
    import torch

    with torch.inference_mode():
        return model(input_ids=torch.arange(3, 15)[None], use_cache=False).logits[0].float()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Llama with its tokenizer."""
    folder = tmp_path_factory.mktemp("base")
    tokenizer = tiny_models.byte_level()
    tiny_models.loaded("llama", tokenizer).model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def copy(base: Path, tmp_path: Path) -> Path:
    """A copy of the base that a test may spoil."""
    return Path(shutil.copytree(base, tmp_path / "model"))


@pytest.fixture(scope="module")
def adapted(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[Path, Any]]:
    """Trains nothing: gives an adapter random weights, saves it, and returns its folder and peft's own logits."""

    def make(model: Any, targets: list[str], trained_on: str | None = None, **more: Any) -> tuple[Path, Any]:
        import torch
        from peft import LoraConfig, get_peft_model

        folder = tmp_path_factory.mktemp("adapter")
        config = LoraConfig(r=4, target_modules=targets, task_type="CAUSAL_LM", **more)
        wrapped = get_peft_model(model, config).eval()
        torch.manual_seed(1)
        with torch.no_grad():
            for name, weight in wrapped.named_parameters():
                if "lora_" in name:
                    weight.normal_(0.0, 0.3)
                elif "modules_to_save" in name:
                    weight.mul_(1.5)
        expected = logits(wrapped)
        wrapped.save_pretrained(folder)
        if trained_on is not None:
            note = json.loads((folder / "adapter_config.json").read_text())
            note["base_model_name_or_path"] = trained_on
            (folder / "adapter_config.json").write_text(json.dumps(note))
        return folder, expected

    return make


def fresh(folder: Path) -> Any:
    return causal_lm.load(folder, dtype="float32", device="cpu").model


def entry(folder: Path | str, **more: Any) -> ModelEntry:
    return ModelEntry.model_validate({"kind": "causal", "source": f"path:{folder}", "engine": "transformers", **more})


class TestAdapters:
    @pytest.mark.parametrize(
        ("targets", "more"),
        [
            (["q_proj", "v_proj"], {}),
            (["q_proj", "down_proj", "lm_head"], {"use_rslora": True}),
            (["k_proj"], {"use_dora": True}),
            (["q_proj"], {"modules_to_save": ["lm_head"]}),
        ],
    )
    def test_the_merged_model_is_the_adapted_one(
        self, base: Path, adapted: Any, targets: list[str], more: dict[str, Any]
    ) -> None:
        folder, expected = adapted(fresh(base), targets, **more)
        lm = causal_lm.load(base, dtype="float32", device="cpu", adapter=folder)
        assert type(lm.model).__name__ == "LlamaForCausalLM"
        assert not any("lora" in name for name, _ in lm.model.named_modules())
        assert float((logits(lm.model) - expected).abs().max()) < 1e-4
        assert float((logits(fresh(base)) - expected).abs().max()) > 0.1

    @pytest.mark.parametrize("targets", [["lm_head"], ["embed_tokens"], ["lm_head", "embed_tokens", "q_proj"]])
    def test_embedding_and_head_that_share_weights_are_parted_first(
        self, tmp_path: Path, adapted: Any, targets: list[str]
    ) -> None:
        tokenizer = tiny_models.byte_level()
        model = tiny_models.loaded("llama", tokenizer).model
        model.config.tie_word_embeddings = True
        model.tie_weights()
        model.save_pretrained(tmp_path)
        tokenizer.save_pretrained(tmp_path)
        tied = fresh(tmp_path)
        assert tied.lm_head.weight is tied.model.embed_tokens.weight
        folder, expected = adapted(tied, targets)
        lm = causal_lm.load(tmp_path, dtype="float32", device="cpu", adapter=folder)
        assert float((logits(lm.model) - expected).abs().max()) < 1e-4

    @pytest.mark.parametrize(
        ("layers", "width", "found"),
        [(1, 32, "the model lacks 4"), (3, 32, "the adapter lacks 4"), (2, 64, "size mismatch")],
    )
    def test_an_adapter_of_another_shape_is_refused(
        self, base: Path, adapted: Any, layers: int, width: int, found: str
    ) -> None:
        import transformers as tf

        folder, _ = adapted(fresh(base), ["q_proj", "v_proj"], "org/small")
        config = {**tf.AutoConfig.from_pretrained(base).to_dict(), "num_hidden_layers": layers, "hidden_size": width}
        other = tf.LlamaForCausalLM(tf.LlamaConfig(**config))
        with pytest.raises(InputError, match=rf"\(made for org/small\) does not fit this model: [^$]*{found}"):
            adapter.merge(other, adapter.read(folder))

    def test_shapes_that_do_not_fit_are_one_line(self, base: Path, adapted: Any) -> None:
        import transformers as tf

        folder, _ = adapted(fresh(base), ["q_proj", "v_proj"], "org/small")
        config = tf.AutoConfig.from_pretrained(base)
        config.hidden_size *= 2
        with pytest.raises(InputError, match=r"size mismatch .*\(and \d+ more\)$") as error:
            adapter.merge(tf.LlamaForCausalLM(config), adapter.read(folder))
        assert "\n" not in str(error.value)

    def test_an_adapter_of_another_architecture_is_refused(self, base: Path, adapted: Any) -> None:
        folder, _ = adapted(fresh(base), ["q_proj"], "org/small")
        with pytest.raises(InputError, match=r"does not fit this model: Target modules .*q_proj.* not found"):
            adapter.merge(tiny_models.loaded("gpt2").model, adapter.read(folder))

    @pytest.mark.parametrize(
        ("trained_on", "base_name", "fits"),
        [
            ("meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-8B", True),
            ("unsloth/Meta-Llama-3.1-8B-bnb-4bit", "meta-llama/Llama-3.1-8B", True),
            ("unsloth/gemma-3-270m-unsloth-bnb-4bit", "google/gemma-3-270m", True),
            ("meta-llama/Llama-3-8B", "meta-llama/Llama-3.1-8B", False),
            ("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B", False),
        ],
    )
    def test_the_named_bases_are_compared(self, trained_on: str, base_name: str, fits: bool) -> None:
        given = adapter.Adapter("a", Path(), {"base_model_name_or_path": trained_on})
        if fits:
            adapter.check_base(given, [base_name])
        else:
            with pytest.raises(InputError, match=f"made for {trained_on}, not for {base_name}"):
                adapter.check_base(given, [base_name])

    def test_a_base_without_a_name_is_said_to_be_unchecked(self, caplog: pytest.LogCaptureFixture) -> None:
        adapter.check_base(adapter.Adapter("a", Path(), {"base_model_name_or_path": "/home/x/model"}), ["org/name"])
        adapter.check_base(adapter.Adapter("b", Path(), {"base_model_name_or_path": "org/name"}), [])
        assert len(caplog.messages) == 2
        assert all("only shapes are checked" in line for line in caplog.messages)

    def test_the_wrong_base_of_an_entry_is_refused_before_weights_are_read(
        self, copy: Path, adapted: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder, _ = adapted(fresh(copy), ["q_proj"], "org/other")
        monkeypatch.setattr(weights, "load", lambda *a, **k: pytest.fail("weights were read"))
        given = entry(copy, adapter=f"path:{folder}", hf_equivalent="org/small")
        with pytest.raises(InputError, match="made for org/other, not for org/small"):
            causal_lm.load_entry(given, "tiny", "float32", "cpu")

    def test_quantised_weights_take_no_adapter(self, copy: Path, tmp_path: Path) -> None:
        change(copy, quantization_config={"quant_method": "gptq", "bits": 4})
        with pytest.raises(InputError, match="cannot be merged into gptq-4bit weights: use the unquantised base"):
            causal_lm.load(copy, dtype="float32", device="cpu", adapter=tmp_path)

    def test_missing_peft_names_the_command(self, base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        with pytest.raises(PrerequisiteError, match=r"pip install dualpair\[lora\]"):
            causal_lm.load(base, dtype="float32", device="cpu", adapter=base)

    def test_other_folders_are_no_adapters(self, base: Path, adapted: Any, tmp_path: Path) -> None:
        with pytest.raises(PrerequisiteError, match=r"holds no adapter_config\.json; found: chat_template"):
            adapter.read(base)
        with pytest.raises(PrerequisiteError, match=r"holds a LoRA adapter, not a model: name its base in `source:`"):
            causal_lm.load(adapted(fresh(base), ["q_proj"])[0], dtype="float32", device="cpu")
        (tmp_path / "adapter_config.json").write_text('{"peft_type": "PREFIX_TUNING"}')
        with pytest.raises(PrerequisiteError, match=r"'PREFIX_TUNING' cannot be merged \(allowed: LORA\)"):
            adapter.read(tmp_path)
        (tmp_path / "adapter_config.json").write_text('{"peft_type": "LORA"}')
        (tmp_path / "adapter_model.bin").touch()
        with pytest.raises(PrerequisiteError, match=r"no adapter_model\.safetensors.*safetensors only"):
            adapter.read(tmp_path)
        with pytest.raises(ValueError, match="adapter_revision"):
            adapter.read("org/name")


class TestSubfolderAndTokenizer:
    def test_an_entry_is_loaded_with_all_that_it_names(self, base: Path, tmp_path: Path, adapted: Any) -> None:
        shutil.copytree(base, tmp_path / "repo" / "large")
        (tmp_path / "repo" / "README.md").write_text("two sizes")
        folder, expected = adapted(fresh(base), ["q_proj"])
        tokenizer = tiny_models.sentencepiece()
        tokenizer.save_pretrained(tmp_path / "words")
        given = entry(
            tmp_path / "repo", subfolder="large", tokenizer=f"path:{tmp_path / 'words'}", adapter=f"path:{folder}",
            bos="none",
        )  # fmt: skip
        lm = causal_lm.load_entry(given, "tiny", "float32", "cpu")
        assert (lm.name, lm.bos, lm.quantisation, lm.device) == ("tiny", "none", "none", "cpu")
        assert lm.tokenizer(TEXT)["input_ids"] == tokenizer(TEXT)["input_ids"]
        assert float((logits(lm.model) - expected).abs().max()) < 1e-4

    def test_a_wrong_subfolder_lists_those_there_are(self, base: Path, tmp_path: Path) -> None:
        shutil.copytree(base, tmp_path / "small")
        shutil.copytree(base, tmp_path / "old" / "large")
        with pytest.raises(
            InputError, match=r"'big' is not in .*; folders there with a config\.json: old/large, small"
        ):
            causal_lm.load(tmp_path, dtype="float32", device="cpu", subfolder="big")
        with pytest.raises(PrerequisiteError, match=r"holds no config\.json; .* set `subfolder:` to one of: small"):
            causal_lm.load(tmp_path, dtype="float32", device="cpu")
        for outside in ("../x", "/tmp"):
            with pytest.raises(InputError, match="expected a path inside"):
                causal_lm.load(tmp_path, dtype="float32", device="cpu", subfolder=outside)

    def test_a_tokenizer_with_more_tokens_than_the_model_is_refused(self, tmp_path: Path) -> None:
        few = tiny_models.sentencepiece()
        tiny_models.loaded("llama", few).model.save_pretrained(tmp_path)
        few.save_pretrained(tmp_path)
        many = tiny_models.byte_level()
        many.save_pretrained(tmp_path / "many")
        with pytest.raises(InputError, match=f"has {len(many)} tokens, the model only {len(few)}"):
            causal_lm.load(tmp_path, dtype="float32", device="cpu", tokenizer=tmp_path / "many")
        many.save_pretrained(tmp_path)  # beside the weights, such as after a copy
        with pytest.raises(InputError, match=rf"the tokenizer {tmp_path} has {len(many)} tokens"):
            causal_lm.load(tmp_path, dtype="float32", device="cpu")

    def test_a_masked_model_with_a_larger_tokenizer_is_refused(self, tmp_path: Path) -> None:
        few = tiny_masked.loaded("bert")
        few.model.save_pretrained(tmp_path)
        many = tiny_masked.byte_level()
        many.save_pretrained(tmp_path)
        assert many.vocab_size > few.tokenizer.vocab_size
        with pytest.raises(InputError, match=rf"the tokenizer {tmp_path} has {many.vocab_size} tokens"):
            masked_lm.load(tmp_path, dtype="float32", device="cpu")

    def test_an_entry_of_another_kind_is_refused(self) -> None:
        with pytest.raises(ValueError, match="kind masked is no causal model"):
            causal_lm.load_entry(entry("x", kind="masked"), "tiny", "float32", "cpu")


class TestDtypes:
    @pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
    @pytest.mark.parametrize("family", ["llama", "gpt2", "gemma3"])
    def test_each_dtype_gives_the_model_in_it(self, tmp_path: Path, family: str, dtype: str) -> None:
        import torch

        tokenizer = tiny_models.byte_level()
        model = tiny_models.loaded(family, tokenizer).model
        model.save_pretrained(tmp_path)
        tokenizer.save_pretrained(tmp_path)
        lm = causal_lm.load(tmp_path, dtype=dtype, device="cpu")
        assert {p.dtype for p in lm.model.parameters()} == {getattr(torch, dtype)}
        assert lm.dtype == dtype
        expected = logits(model)
        close = {"float32": 1e-5, "float16": 0.02, "bfloat16": 0.15}[dtype] * float(expected.abs().max())
        assert float((logits(lm.model) - expected).abs().max()) <= close

    def test_a_model_that_overflows_in_float16_is_refused(self, copy: Path) -> None:
        from safetensors.torch import load_file, save_file

        tensors = load_file(copy / "model.safetensors")
        tensors["model.embed_tokens.weight"] *= 1e6
        save_file(tensors, copy / "model.safetensors", {"format": "pt"})
        assert bool(logits(causal_lm.load(copy, dtype="float32", device="cpu").model).isfinite().all())
        with pytest.raises(InputError, match=r"tiny: float16 overflows .* set `dtype: bfloat16`"):
            causal_lm.load(copy, dtype="float16", device="cpu", name="tiny")

    def test_an_operation_without_float16_is_named(self, base: Path) -> None:
        model = fresh(base)

        def forward(*args: Any, **more: Any) -> None:
            raise RuntimeError("\"some_kernel\" not implemented for 'Half'")

        model.forward = forward
        with pytest.raises(PrerequisiteError, match=r"tiny: this model cannot run in float16 on cpu .*some_kernel"):
            weights.check_float16(model, "cpu", "tiny")


class TestDevices:
    """Several GPUs need GPUs: on a CPU only the way through accelerate to one device, and the refusals, can be tested."""

    def test_weights_placed_by_accelerate_are_the_same(self, base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(weights, "_placement", lambda *a: {"device_map": {"": "cpu"}})
        lm = causal_lm.load(base, dtype="float32", device="cpu")
        monkeypatch.undo()
        assert (logits(lm.model) == logits(fresh(base))).all()

    def test_more_gpus_than_there_are_is_refused_before_loading(
        self, base: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(weights, "load", lambda *a, **k: pytest.fail("weights were read"))
        with pytest.raises(PrerequisiteError, match=r"`gpus: 2` but this job runs on cpu and has 0 usable GPUs"):
            causal_lm.load_entry(entry(base, gpus=2), "tiny", "float32", "cpu")
        monkeypatch.setattr("torch.cuda.device_count", lambda: 3)
        with pytest.raises(PrerequisiteError, match=r"`gpus: 4` .* runs on cuda and has 3"):
            weights.check_gpus(4, "cuda")
        weights.check_gpus(3, "cuda")

    def test_several_gpus_get_a_share_of_their_free_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        free = {0: 1000, 1: 800, 2: 10}
        monkeypatch.setattr("torch.cuda.mem_get_info", lambda number: (free[number], 1000))
        assert weights._placement("cuda", 2, False) == {"device_map": "auto", "max_memory": {0: 900, 1: 720}}
        assert weights._placement("cuda", 1, False) == {"device_map": {"": "cuda"}}
        assert weights._placement("mps", 0, False) == {"device_map": {"": "mps"}}
        assert weights._placement("cpu", 0, False) == {}

    def test_weights_that_do_not_fit_are_not_left_on_disk(self, base: Path) -> None:
        model = fresh(base)
        model.hf_device_map = {"model.layers.0": 0, "model.layers.1": "disk"}
        with pytest.raises(PrerequisiteError, match=r"does not fit into the free memory of 2 GPUs .*: disk"):
            weights._check_spread(model, 2, "tiny")


def change(folder: Path, **more: Any) -> None:
    """Alter a checkpoint's config."""
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **more}))


class TestRefusals:
    """Each is found before torch is needed, and says what is there and what to do."""

    def refused(self, folder: Path, message: str, kind: type[Exception] = PrerequisiteError) -> None:
        with pytest.raises(kind, match=message):
            causal_lm.load(folder, dtype="float32", device="cpu", name="tiny")

    def test_an_empty_folder(self, tmp_path: Path) -> None:
        self.refused(tmp_path, r"holds no config\.json; found: nothing")

    def test_a_folder_that_does_not_exist(self, tmp_path: Path) -> None:
        self.refused(tmp_path / "none", "neither a local folder nor a hub id with a revision", ValueError)

    def test_no_weights(self, copy: Path) -> None:
        (copy / "model.safetensors").unlink()
        self.refused(copy, r"holds no weights \(model\.safetensors, or .*\); found: chat_template\.jinja, config\.json")

    @pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt"])
    def test_pickled_weights(self, copy: Path, name: str) -> None:
        (copy / "model.safetensors").rename(copy / name)
        self.refused(copy, rf"only as {name}; .*from a source that you trust.*\.save_pretrained\('NEW'\)")

    def test_the_command_for_pickled_weights_works(self, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import re
        import subprocess
        import sys

        import torch

        expected = logits(fresh(copy))
        torch.save(fresh(copy).state_dict(), copy / "pytorch_model.bin")
        (copy / "model.safetensors").unlink()
        with pytest.raises(PrerequisiteError) as caught:
            checkpoint.check(copy)
        found = re.search(r'python -c "(.*)"', str(caught.value))
        assert found
        subprocess.run([sys.executable, "-c", found.group(1)], cwd=copy.parent, check=True, capture_output=True)
        assert (logits(fresh(copy.parent / "NEW")) == expected).all()

    def test_gguf(self, copy: Path) -> None:
        (copy / "model.safetensors").rename(copy / "model-q4.gguf")
        self.refused(copy, r"only as model-q4\.gguf; .*gguf_file='model-q4\.gguf'")

    def test_a_missing_shard(self, copy: Path) -> None:
        index = {"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors", "c": "model-1.safetensors"}}
        (copy / "model.safetensors.index.json").write_text(json.dumps(index))
        (copy / "model.safetensors").rename(copy / "model-1.safetensors")
        self.refused(copy, r"1 of 2 weight files that .* lists are missing \(model-2\.safetensors\)")

    def test_a_pointer_instead_of_weights(self, copy: Path) -> None:
        (copy / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
        self.refused(copy, r"model\.safetensors is a git-lfs pointer, not the weights: run `git lfs pull`")

    def test_damaged_weights(self, copy: Path) -> None:
        content = (copy / "model.safetensors").read_bytes()
        (copy / "model.safetensors").write_bytes(content[: len(content) // 2])
        self.refused(copy, r"tiny: a weight file is damaged .*: fetch the checkpoint again")

    def test_weights_with_a_gap_are_not_filled_with_random_numbers(self, copy: Path) -> None:
        from safetensors.torch import load_file, save_file

        tensors = load_file(copy / "model.safetensors")
        del tensors["lm_head.weight"]
        save_file(tensors, copy / "model.safetensors", {"format": "pt"})
        self.refused(copy, r"tiny: 1 weights of the model are not in the checkpoint, such as \['lm_head\.weight'\]")

    def test_a_masked_model(self, copy: Path) -> None:
        change(copy, architectures=["BertForMaskedLM"])
        self.refused(copy, r"holds a masked model \(BertForMaskedLM\): set `kind: masked`", InputError)

    def test_a_model_that_transformers_has_not(self, copy: Path) -> None:
        change(copy, model_type="t5", architectures=["T5ForConditionalGeneration"])
        self.refused(copy, "^tiny: Unrecognized configuration class .*T5Config", InputError)

    def test_no_tokenizer(self, copy: Path) -> None:
        for name in ("tokenizer.json", "tokenizer_config.json"):
            (copy / name).unlink()
        self.refused(copy, r"holds no tokenizer .*Name one with `tokenizer:`")

    def test_a_tokenizer_without_fast_version(self, copy: Path) -> None:
        for name in ("tokenizer.json", "tokenizer_config.json"):
            (copy / name).unlink()
        (copy / "tokenizer_config.json").write_text('{"tokenizer_class": "ByT5Tokenizer"}')
        self.refused(copy, "ByT5Tokenizer has no fast version, and scoring needs the character offsets")

    def test_a_tokenizer_that_cannot_be_read(self, copy: Path) -> None:
        (copy / "tokenizer.json").write_text("{}")
        self.refused(copy, "the tokenizer could not be loaded: .*`tokenizer:`")

    def test_a_model_with_an_adapter_beside_it(self, copy: Path) -> None:
        (copy / "adapter_config.json").write_text('{"peft_type": "LORA", "base_model_name_or_path": "org/name"}')
        self.refused(copy, r"holds a model and a LoRA adapter: move adapter_config\.json")

    def test_a_quantisation_that_is_not_the_checkpoints(self, base: Path) -> None:
        with pytest.raises(InputError, match=r"states `quantisation: w8a8` but the checkpoint's config says 'none'"):
            causal_lm.load(base, dtype="float32", device="cpu", quantisation="w8a8")

    @pytest.mark.parametrize(
        ("config", "message"),
        [
            (
                {"quant_method": "gptq", "bits": 4},
                r"tiny: gptq-4bit weights cannot be used here: .*pip install optimum",
            ),
            ({"quant_method": "awq", "bits": 4}, r"tiny: awq-4bit .*pip install gptqmodel.*engine: vllm"),
            (
                {"quant_method": "modelopt", "quant_algo": "FP8"},
                r"tiny: transformers has no modelopt-fp8: .*engine: vllm",
            ),
        ],
    )
    def test_quantised_weights_without_their_package(self, copy: Path, config: dict[str, Any], message: str) -> None:
        change(copy, quantization_config=config)
        self.refused(copy, message)


def test_weights_that_are_unpacked_on_loading_are_recorded_as_such(copy: Path) -> None:
    change(copy, quantization_config={"quant_method": "fp8", "activation_scheme": "dynamic"})
    lm = causal_lm.load(copy, dtype="float32", device="cpu")
    assert lm.quantisation == "fp8-dequantised"
    assert {str(weight.dtype) for weight in lm.model.parameters()} == {"torch.float32"}


def test_packed_weights_are_run_once_whole(base: Path) -> None:
    """compressed-tensors unpacks in a hook of the whole model, which running the body alone would pass by."""
    whole: list[bool] = []

    class Packed:
        @staticmethod
        def from_pretrained(**given: Any) -> tuple[Any, dict[str, Any]]:
            model = fresh(base)
            model.hf_quantizer = object()
            model.register_forward_pre_hook(lambda *a: whole.append(True))
            return model, {}

    where = causal_lm.load_arguments(base, "", True)
    assert (
        weights.load(Packed, where, "float32", "cpu", 0, "compressed-tensors-w8a8", "tiny")[1]
        == "compressed-tensors-w8a8"
    )
    assert whole == [True]


def test_a_hub_model_is_loaded_from_the_local_cache_alone(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("socket.getaddrinfo", lambda *a, **k: pytest.fail("the network was used"))
    with pytest.raises(PrerequisiteError, match=rf"hf download org/name --revision {COMMIT}"):
        causal_lm.load("org/name", COMMIT, dtype="float32", device="cpu")
    shutil.copytree(base, tmp_path / "models--org--name" / "snapshots" / COMMIT)
    lm = causal_lm.load("org/name", COMMIT, dtype="float32", device="cpu")
    assert (logits(lm.model) == logits(fresh(base))).all()
    (tmp_path / "models--org--name" / "snapshots" / COMMIT / "model.safetensors").unlink()
    with pytest.raises(PrerequisiteError, match="holds no weights"):
        causal_lm.load("org/name", COMMIT, dtype="float32", device="cpu")


class TestFetching:
    """The command that makes a model ready before any stage."""

    def fetch(self, given: ModelEntry, out: Path, hub: str = "off") -> dict[str, Any]:
        import argparse
        import importlib.util

        spec = importlib.util.spec_from_file_location("fetch_model", paths.home() / "scripts" / "fetch_model.py")
        assert spec and spec.loader
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)
        script.run(argparse.Namespace(model="tiny", entry=given, hub=hub, out=str(out)))
        note: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
        return note

    @pytest.fixture(autouse=True)
    def _own_cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))

    def test_all_parts_are_noted(self, base: Path, adapted: Any, tmp_path: Path) -> None:
        note = self.fetch(entry(base), tmp_path / "a.json")
        assert set(note) == {"model", "source", "fingerprint", "quantisation"}
        folder, _ = adapted(fresh(base), ["q_proj"])
        given = entry(base, adapter=f"path:{folder}", tokenizer=f"path:{base}")
        more = self.fetch(given, tmp_path / "b.json")
        assert {key: more[key] for key in note} == note
        assert more["adapter"].startswith("path:")
        assert more["tokenizer"].startswith("path:")

    def test_what_is_missing_is_found_here_and_named_by_key(self, copy: Path, base: Path, tmp_path: Path) -> None:
        (copy / "model.safetensors").unlink()
        with pytest.raises(PrerequisiteError, match=r"^key `models\.tiny`: .* holds no weights"):
            self.fetch(entry(copy), tmp_path / "a.json")
        with pytest.raises(PrerequisiteError, match=r"^key `models\.tiny`: adapter .* holds no adapter_config\.json"):
            self.fetch(entry(base, adapter=f"path:{base}"), tmp_path / "a.json")
        (tmp_path / "none").mkdir()
        with pytest.raises(PrerequisiteError, match=r"^key `models\.tiny`: .* holds no tokenizer"):
            self.fetch(entry(base, tokenizer=f"path:{tmp_path / 'none'}"), tmp_path / "a.json")
        with pytest.raises(InputError, match=r"^key `models\.tiny`: .* has no revision"):
            self.fetch(entry(base, tokenizer="hf:org/name"), tmp_path / "a.json")

    def test_a_hub_model_must_be_in_the_cache_or_is_fetched(
        self, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        given = entry(base).model_copy(update={"source": "hf:org/name", "revision": COMMIT})
        with pytest.raises(PrerequisiteError, match=rf"models\.tiny`: hf:org/name at {COMMIT} is not in the local hub"):
            self.fetch(given, tmp_path / "a.json")
        asked: list[Any] = []
        place = tmp_path / "hub" / "models--org--name" / "snapshots" / COMMIT

        def hub(repository: str, **more: Any) -> str:
            asked.append((repository, more))
            if more.get("local_files_only") is not True:
                shutil.copytree(base, place, dirs_exist_ok=True)
            return str(place)

        monkeypatch.setattr("huggingface_hub.snapshot_download", hub)
        note = self.fetch(given, tmp_path / "a.json", hub="on")
        assert note["fingerprint"] == f"hf:org/name@{COMMIT}"
        (repository, how), *_ = asked
        assert (repository, how["revision"], how["ignore_patterns"]) == ("org/name", COMMIT, ["*/*"])
        assert {"*.json", "*.safetensors"} <= set(how["allow_patterns"])
        assert not {"*", "*.bin"} & set(how["allow_patterns"])

    def test_of_a_served_model_only_the_tokenizer_is_needed(self, copy: Path, tmp_path: Path) -> None:
        (copy / "model.safetensors").unlink()
        given = entry(copy, engine="server", endpoint="http://localhost:1/v1", dtype="float32")
        assert self.fetch(given, tmp_path / "a.json")["quantisation"] == "unknown"
