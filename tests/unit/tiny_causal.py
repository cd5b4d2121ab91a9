"""Tiny random causal models of many families: two layers, float32, weights large enough that a mistake shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ENDS = {"pad_token_id": 0, "bos_token_id": 0, "eos_token_id": 0}
POSITIONS = 256
WINDOW = 6  # of the families with a sliding window: shorter than most test texts


def _base(vocabulary: int) -> dict[str, Any]:
    return {"vocab_size": vocabulary, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, **ENDS}


def _modern(vocabulary: int) -> dict[str, Any]:
    return {
        **_base(vocabulary),
        "intermediate_size": 48,
        "num_key_value_heads": 2,
        "max_position_embeddings": POSITIONS,
        "head_dim": 8,
    }


def _old(vocabulary: int) -> dict[str, Any]:
    return {"vocab_size": vocabulary, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": POSITIONS, **ENDS}


def _opt(vocabulary: int) -> dict[str, Any]:
    return {**_base(vocabulary), "ffn_dim": 48, "max_position_embeddings": POSITIONS, "word_embed_proj_dim": 32}


_NO_HEAD_DIM = {"head_dim"}
# name -> (class prefix, config class, base, further arguments, arguments of the base that the config does not take)
_FAMILIES: dict[str, tuple[str, str, Callable[[int], dict[str, Any]], dict[str, Any], set[str]]] = {
    "llama": ("Llama", "LlamaConfig", _modern, {}, set()),
    "mistral": ("Mistral", "MistralConfig", _modern, {"sliding_window": WINDOW}, set()),
    "mixtral": (
        "Mixtral", "MixtralConfig", _modern,
        {"num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": None}, set(),
    ),
    "qwen2": ("Qwen2", "Qwen2Config", _modern, {}, set()),
    "qwen2-window": (
        "Qwen2", "Qwen2Config", _modern,
        {"use_sliding_window": True, "sliding_window": WINDOW, "max_window_layers": 1}, set(),
    ),
    "qwen3": ("Qwen3", "Qwen3Config", _modern, {}, set()),
    "qwen3-moe": (
        "Qwen3Moe", "Qwen3MoeConfig", _modern,
        {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 24}, set(),
    ),
    "gemma": ("Gemma", "GemmaConfig", _modern, {}, set()),
    "gemma2": (
        "Gemma2", "Gemma2Config", _modern,
        {"sliding_window": WINDOW, "final_logit_softcapping": 3.0, "attn_logit_softcapping": 5.0}, set(),
    ),
    "gemma3": ("Gemma3", "Gemma3TextConfig", _modern, {"sliding_window": WINDOW,
               "layer_types": ["sliding_attention", "full_attention"]}, set()),
    "phi": ("Phi", "PhiConfig", _modern, {}, _NO_HEAD_DIM),
    "phi3": ("Phi3", "Phi3Config", _modern, {"sliding_window": None}, _NO_HEAD_DIM),
    "olmo": ("Olmo", "OlmoConfig", _modern, {}, _NO_HEAD_DIM),
    "olmo2": ("Olmo2", "Olmo2Config", _modern, {}, _NO_HEAD_DIM),
    "olmo3": ("Olmo3", "Olmo3Config", _modern, {"sliding_window": WINDOW,
              "layer_types": ["sliding_attention", "full_attention"]}, _NO_HEAD_DIM),
    "cohere": ("Cohere", "CohereConfig", _modern, {"logit_scale": 0.25}, _NO_HEAD_DIM),
    "cohere2": ("Cohere2", "Cohere2Config", _modern, {"logit_scale": 0.25, "sliding_window": WINDOW,
                "layer_types": ["sliding_attention", "full_attention"]}, set()),
    "granite": ("Granite", "GraniteConfig", _modern, {"logits_scaling": 4.0}, _NO_HEAD_DIM),
    "smollm3": ("SmolLM3", "SmolLM3Config", _modern, {}, _NO_HEAD_DIM),
    "stablelm": ("StableLm", "StableLmConfig", _modern, {}, _NO_HEAD_DIM),
    "starcoder2": ("Starcoder2", "Starcoder2Config", _modern, {"sliding_window": WINDOW}, _NO_HEAD_DIM),
    "glm4": ("Glm4", "Glm4Config", _modern, {}, set()),
    "helium": ("Helium", "HeliumConfig", _modern, {}, set()),
    "arcee": ("Arcee", "ArceeConfig", _modern, {}, set()),
    "nemotron": ("Nemotron", "NemotronConfig", _modern, {}, set()),
    "gpt2": ("GPT2", "GPT2Config", _old, {}, set()),
    "gptj": ("GPTJ", "GPTJConfig", _old, {"rotary_dim": 8}, set()),
    "codegen": ("CodeGen", "CodeGenConfig", _old, {"rotary_dim": 8}, set()),
    "gpt-neox": ("GPTNeoX", "GPTNeoXConfig", _base,
                 {"intermediate_size": 48, "max_position_embeddings": POSITIONS}, set()),
    "gpt-neo": (
        "GPTNeo", "GPTNeoConfig", _base,
        {"num_layers": 2, "num_heads": 4, "attention_types": [[["global", "local"], 1]], "window_size": WINDOW,
         "max_position_embeddings": POSITIONS},
        {"num_hidden_layers", "num_attention_heads"},
    ),
    "opt": ("OPT", "OPTConfig", _opt, {}, set()),
    "biogpt": ("BioGpt", "BioGptConfig", _modern, {}, {"head_dim", "num_key_value_heads"}),
    "xglm": (
        "XGLM", "XGLMConfig", _base,
        {"d_model": 32, "num_layers": 2, "attention_heads": 4, "ffn_dim": 48, "max_position_embeddings": POSITIONS},
        {"hidden_size", "num_hidden_layers", "num_attention_heads"},
    ),
    "gpt-oss": (
        "GptOss", "GptOssConfig", _modern,
        {"num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": WINDOW,
         "layer_types": ["sliding_attention", "full_attention"]}, set(),
    ),
    "falcon": ("Falcon", "FalconConfig", _base, {"alibi": False, "new_decoder_architecture": False}, set()),
    "falcon-alibi": ("Falcon", "FalconConfig", _base, {"alibi": True, "new_decoder_architecture": False}, set()),
    "bloom": ("Bloom", "BloomConfig", _base, {}, set()),
    "mpt": ("Mpt", "MptConfig", _base, {"d_model": 32, "n_heads": 4, "n_layers": 2, "max_seq_len": POSITIONS},
            {"hidden_size", "num_hidden_layers", "num_attention_heads"}),
    "mamba": ("Mamba", "MambaConfig", _base, {"state_size": 4}, {"num_attention_heads"}),
    "mamba2": ("Mamba2", "Mamba2Config", _base,
               {"state_size": 8, "num_heads": 8, "head_dim": 8, "n_groups": 1, "chunk_size": 8}, {"num_attention_heads"}),
    "lfm2": ("Lfm2", "Lfm2Config", _modern, {"layer_types": ["conv", "full_attention"]}, {"head_dim"}),
}  # fmt: skip
FAMILIES = tuple(_FAMILIES)


def causal(family: str, vocabulary: int, seed: int = 0, **overrides: Any) -> Any:
    """A random model of a family in evaluation mode."""
    import torch
    import transformers as tf

    torch.manual_seed(seed)
    prefix, config, base, more, without = _FAMILIES[family]
    arguments = {key: value for key, value in base(vocabulary).items() if key not in without}
    name = f"{prefix}LMHeadModel" if hasattr(tf, f"{prefix}LMHeadModel") else f"{prefix}ForCausalLM"
    model = getattr(tf, name)(getattr(tf, config)(**{**arguments, **more, **overrides})).eval()
    scale = 3.0 if family.startswith("mamba") else 6.0  # a recurrent state carries float32's noise along
    with torch.no_grad():
        for key, weight in model.named_parameters():
            if weight.dim() > 1:
                weight.mul_(2.0 if "conv" in key else scale)
            elif key.startswith("lm_head"):  # a head bias starts at zero, which would hide that it is ignored
                weight.normal_(0.0, 1.0)
    return model
