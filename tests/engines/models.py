"""Tiny random Llama checkpoints in the forms that vLLM takes, each with what it should answer, computed in torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.unit import tiny_models

POSITIONS = 1024
ALPHA, RANK = 8, 4


def llama(folder: Path, seed: int = 0) -> Any:
    """Save a plain float32 checkpoint with a tokenizer that adds BOS; give back the model."""
    import torch
    import transformers as tf

    tokenizer = tiny_models.sentencepiece()
    torch.manual_seed(seed)
    config = tf.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=32,  # the smallest that vLLM's CPU attention takes
        max_position_embeddings=POSITIONS,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    model = tf.LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.mul_(6.0)  # large enough that mistakes show
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return model


def lora(folder: Path, model: Any, seed: int = 1) -> Any:
    """Save a LoRA adapter on the query projections; give back the model with the adapter merged into its weights."""
    import torch
    from safetensors.torch import save_file

    torch.manual_seed(seed)
    tensors = {}
    for number, layer in enumerate(model.model.layers):
        weight = layer.self_attn.q_proj.weight
        a, b = torch.randn(RANK, weight.shape[1]) * 0.3, torch.randn(weight.shape[0], RANK) * 0.3
        stem = f"base_model.model.model.layers.{number}.self_attn.q_proj"
        tensors |= {f"{stem}.lora_A.weight": a, f"{stem}.lora_B.weight": b}
        with torch.no_grad():
            weight.add_(b @ a * (ALPHA / RANK))
    folder.mkdir()
    save_file(tensors, folder / "adapter_model.safetensors")
    config = {"peft_type": "LORA", "r": RANK, "lora_alpha": ALPHA, "target_modules": ["q_proj"], "bias": "none"}
    (folder / "adapter_config.json").write_text(json.dumps({**config, "task_type": "CAUSAL_LM"}))
    return model


def w8a8(folder: Path, seed: int = 2) -> Any:
    """Save a compressed-tensors checkpoint with 8-bit weights and activations; give back a torch model that rounds alike.

    Weights are rounded per output channel, activations per token and at run time, both symmetrically.
    """
    import torch
    from safetensors.torch import save_file

    model = llama(folder, seed)
    tensors = {}
    for name, module in model.named_modules():
        if not isinstance(module, torch.nn.Linear) or name == "lm_head":
            continue
        scale = module.weight.detach().abs().amax(dim=1, keepdim=True) / 127
        packed = (module.weight.detach() / scale).round().clamp(-128, 127)
        tensors |= {f"{name}.weight": packed.to(torch.int8), f"{name}.weight_scale": scale}
        with torch.no_grad():
            module.weight.copy_(packed * scale)
        module.register_forward_pre_hook(lambda _, given: (_rounded(given[0]),))
    kept = {name: value.contiguous() for name, value in model.state_dict().items() if name not in tensors}
    save_file({**kept, **tensors}, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    group = {
        "targets": ["Linear"],
        "weights": {"num_bits": 8, "type": "int", "symmetric": True, "strategy": "channel", "dynamic": False},
        "input_activations": {"num_bits": 8, "type": "int", "symmetric": True, "strategy": "token", "dynamic": True},
    }
    config["quantization_config"] = {
        "quant_method": "compressed-tensors",
        "format": "int-quantized",
        "quantization_status": "compressed",
        "config_groups": {"group_0": group},
        "ignore": ["lm_head"],
    }
    (folder / "config.json").write_text(json.dumps(config))
    return model


def _rounded(values: Any) -> Any:
    scale = values.abs().amax(dim=-1, keepdim=True) / 127
    return (values / scale).round().clamp(-128, 127) * scale


def logprobs(model: Any, ids: list[int]) -> list[float]:
    """One text alone, the normaliser in float64: natural log-probability of every token after the first."""
    import torch

    with torch.inference_mode():
        logits = model(torch.tensor([ids[:-1]])).logits[0].double()
    chosen = logits.gather(1, torch.tensor(ids[1:])[:, None])[:, 0]
    return (chosen - torch.logsumexp(logits, dim=1)).tolist()
