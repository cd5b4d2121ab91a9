"""Tiny random models and tokenizers, built in memory: every family's quirks in milliseconds."""

from __future__ import annotations

from typing import Any

from dualpair.models.causal_lm import LoadedLM

SENTENCES = [
    "Women talk a lot.",
    "Boys are good at maths.",
    "Las mujeres que trabajan hablan mucho.",
    "Спящие дети прекрасны.",
    "睡着的孩子最可爱。",
    "女人话很多。",
]
CHAT = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def byte_level(trim: bool = False, separator: bool = True) -> Any:
    """GPT-2 style: byte-level BPE without BOS, one Chinese character over up to three tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    special = ["<|endoftext|>"] if separator else ["<pad>"]
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    core.post_processor = processors.ByteLevel(trim_offsets=trim)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    english = [s for s in SENTENCES if s.isascii()] * 20
    core.train_from_iterator(
        english,
        trainers.BpeTrainer(vocab_size=330, special_tokens=special, initial_alphabet=alphabet, show_progress=False),
    )
    names = {"eos_token": special[0]} if separator else {"pad_token": special[0]}
    return PreTrainedTokenizerFast(tokenizer_object=core, chat_template=CHAT, **names)


def sentencepiece(scheme: str = "never") -> Any:
    """Llama and Gemma style: metaspace pieces, BOS added; `scheme` says whether a space is put in front."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.Unigram())
    core.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme)
    core.decoder = decoders.Metaspace(prepend_scheme=scheme)
    core.train_from_iterator(
        SENTENCES * 20,
        trainers.UnigramTrainer(
            vocab_size=160, special_tokens=["<pad>", "<s>", "</s>", "<unk>"], unk_token="<unk>", show_progress=False
        ),
    )
    core.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=core, bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="<pad>"
    )


def wordpiece_pairs() -> Any:
    """BERT style tokenizer for sentence pairs."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    core = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    core.normalizer = normalizers.BertNormalizer()
    core.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    core.train_from_iterator(
        SENTENCES * 20, trainers.WordPieceTrainer(vocab_size=150, special_tokens=special, show_progress=False)
    )
    core.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=48,
    )


def causal(family: str, vocabulary: int, seed: int = 0) -> Any:
    """A random causal model of a family, float32, two layers, with weights large enough that mistakes show."""
    import torch
    import transformers as tf

    torch.manual_seed(seed)
    base = {"vocab_size": vocabulary, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    modern = {**base, "intermediate_size": 48, "num_key_value_heads": 2, "max_position_embeddings": 128, "head_dim": 8}
    ends = {"pad_token_id": 0, "bos_token_id": 0, "eos_token_id": 0}
    old = {"vocab_size": vocabulary, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 128, **ends}
    makers = {
        "gpt2": lambda: tf.GPT2LMHeadModel(tf.GPT2Config(**old)),
        "gptj": lambda: tf.GPTJForCausalLM(tf.GPTJConfig(**old, rotary_dim=8)),
        "llama": lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**modern, **ends)),
        "qwen2": lambda: tf.Qwen2ForCausalLM(tf.Qwen2Config(**modern, **ends)),
        "gemma2": lambda: tf.Gemma2ForCausalLM(
            tf.Gemma2Config(**modern, **ends, sliding_window=6, final_logit_softcapping=3.0)
        ),
        "gemma3": lambda: tf.Gemma3ForCausalLM(tf.Gemma3TextConfig(**modern, **ends, sliding_window=6)),
        "cohere": lambda: tf.CohereForCausalLM(tf.CohereConfig(**modern, **ends, logit_scale=0.25)),
        "granite": lambda: tf.GraniteForCausalLM(tf.GraniteConfig(**modern, **ends, logits_scaling=4.0)),
        "bloom": lambda: tf.BloomForCausalLM(tf.BloomConfig(**base, **ends)),
        "opt": lambda: tf.OPTForCausalLM(
            tf.OPTConfig(**base, ffn_dim=48, max_position_embeddings=128, word_embed_proj_dim=32, **ends)
        ),
    }
    model = makers[family]().eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1:
                weight.mul_(6.0)
            elif name.startswith("lm_head"):  # a head bias starts at zero, which would hide that it is ignored
                weight.normal_(0.0, 1.0)
    return model


def loaded(family: str = "llama", tokenizer: Any = None, bos: str = "auto") -> LoadedLM:
    """A random model with its tokenizer, as `causal_lm.load` gives it."""
    tokenizer = byte_level() if tokenizer is None else tokenizer
    return LoadedLM(f"tiny-{family}", causal(family, len(tokenizer)), tokenizer, "cpu", "float32", bos)
