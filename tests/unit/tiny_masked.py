"""Tiny random masked models and their tokenizers, built in memory."""

from __future__ import annotations

from typing import Any

from dualpair.models.causal_lm import LoadedLM
from tests.unit.tiny_models import SENTENCES

POSITIONS = 96
WORDPIECE = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ROBERTA = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]


def wordpiece() -> Any:
    """BERT style: lower case, `##` continues a word, every Chinese character on its own."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    core.normalizer = normalizers.BertNormalizer()
    core.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    core.decoder = decoders.WordPiece()
    core.train_from_iterator(
        SENTENCES * 20, trainers.WordPieceTrainer(vocab_size=150, special_tokens=WORDPIECE, show_progress=False)
    )
    core.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = dict(zip(["pad_token", "unk_token", "cls_token", "sep_token", "mask_token"], WORDPIECE, strict=True))
    return PreTrainedTokenizerFast(tokenizer_object=core, **names)


def _roberta_names() -> dict[str, str]:
    names = ["cls_token", "pad_token", "sep_token", "unk_token", "mask_token"]
    return {**dict(zip(names, ROBERTA, strict=True)), "bos_token": "<s>", "eos_token": "</s>"}


def byte_level() -> Any:
    """RoBERTa and ModernBERT style: byte-level BPE, `Ġ` begins a word, few merges so that words have many tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    core.train_from_iterator(
        [s for s in SENTENCES if s.isascii()] * 20,
        trainers.BpeTrainer(
            vocab_size=300,
            special_tokens=ROBERTA,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    core.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return PreTrainedTokenizerFast(tokenizer_object=core, **_roberta_names())


def sentencepiece(punctuation: bool = False) -> Any:
    """XLM-R, CamemBERT and ALBERT style: `▁` begins a word; with `punctuation` marks stand apart (some DeBERTa)."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.Unigram())
    space = pre_tokenizers.Metaspace(prepend_scheme="always")
    apart = pre_tokenizers.Punctuation(behavior="isolated")
    core.pre_tokenizer = pre_tokenizers.Sequence([apart, space]) if punctuation else space
    core.decoder = decoders.Metaspace(prepend_scheme="always")
    core.train_from_iterator(
        SENTENCES * 20,
        trainers.UnigramTrainer(vocab_size=160, special_tokens=ROBERTA, unk_token="<unk>", show_progress=False),
    )
    core.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return PreTrainedTokenizerFast(tokenizer_object=core, **_roberta_names())


TOKENIZERS = {
    "wordpiece": wordpiece,
    "byte-level": byte_level,
    "sentencepiece": sentencepiece,
    "sentencepiece, marks apart": lambda: sentencepiece(punctuation=True),
}

# architecture -> (tokenizer, configuration class, model class, what its configuration has beyond the common keys)
ARCHITECTURES: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "bert": ("wordpiece", "BertConfig", "BertForMaskedLM", {}),
    "distilbert": (
        "wordpiece",
        "DistilBertConfig",
        "DistilBertForMaskedLM",
        {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48},
    ),
    "albert": ("sentencepiece", "AlbertConfig", "AlbertForMaskedLM", {"embedding_size": 16}),
    "electra": ("wordpiece", "ElectraConfig", "ElectraForMaskedLM", {"embedding_size": 16}),
    "roberta": ("byte-level", "RobertaConfig", "RobertaForMaskedLM", {}),
    "xlm-roberta": ("sentencepiece", "XLMRobertaConfig", "XLMRobertaForMaskedLM", {}),
    "camembert": ("sentencepiece", "CamembertConfig", "CamembertForMaskedLM", {}),
    "mpnet": ("wordpiece", "MPNetConfig", "MPNetForMaskedLM", {}),
    "deberta": (
        "byte-level",
        "DebertaConfig",
        "DebertaForMaskedLM",
        {"relative_attention": True, "pos_att_type": "c2p|p2c", "legacy": False},
    ),
    "deberta-v2": (
        "sentencepiece, marks apart",
        "DebertaV2Config",
        "DebertaV2ForMaskedLM",
        {
            "relative_attention": True,
            "pos_att_type": "c2p|p2c",
            "position_buckets": 8,
            "norm_rel_ebd": "layer_norm",
            "share_att_key": True,
            "position_biased_input": False,
        },
    ),
    "modernbert": (
        "byte-level",
        "ModernBertConfig",
        "ModernBertForMaskedLM",
        {"local_attention": 8, "global_attn_every_n_layers": 2},
    ),
    "eurobert": ("byte-level", "EuroBertConfig", "EuroBertForMaskedLM", {"num_key_value_heads": 2, "head_dim": 8}),
    "convbert": ("wordpiece", "ConvBertConfig", "ConvBertForMaskedLM", {"embedding_size": 16, "head_ratio": 1}),
    "mobilebert": (
        "wordpiece",
        "MobileBertConfig",
        "MobileBertForMaskedLM",
        {"embedding_size": 16, "intra_bottleneck_size": 16, "true_hidden_size": 16},
    ),
    "fnet": ("sentencepiece", "FNetConfig", "FNetForMaskedLM", {}),
    "rembert": (
        "sentencepiece",
        "RemBertConfig",
        "RemBertForMaskedLM",
        {"input_embedding_size": 16, "output_embedding_size": 24},
    ),
    "longformer": ("byte-level", "LongformerConfig", "LongformerForMaskedLM", {"attention_window": 8}),
}


def model(architecture: str, tokenizer: Any, seed: int = 0) -> Any:
    """A random model, float32, two layers, with weights so large that one token more or less masked shows."""
    import torch
    import transformers as tf

    _, config, masked, more = ARCHITECTURES[architecture]
    common = {
        "vocab_size": len(tokenizer),
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 48,
        "max_position_embeddings": POSITIONS,
        "pad_token_id": tokenizer.pad_token_id,
        "bos_token_id": tokenizer.cls_token_id,
        "eos_token_id": tokenizer.sep_token_id,
    }
    torch.manual_seed(seed)
    made = getattr(tf, masked)(getattr(tf, config)(**{**common, **more})).eval()
    with torch.no_grad():
        for name, weight in made.named_parameters():
            if weight.dim() > 1:
                weight.mul_(15.0)
            elif name.endswith("bias") and len(weight) == len(tokenizer):
                weight.normal_(0.0, 1.0)  # zero at first, which would hide that it is ignored
    return made


def loaded(architecture: str = "bert", bos: str = "auto") -> LoadedLM:
    """A random model with its tokenizer, as `masked_lm.load` gives it."""
    tokenizer = TOKENIZERS[ARCHITECTURES[architecture][0]]()
    return LoadedLM(f"tiny-{architecture}", model(architecture, tokenizer), tokenizer, "cpu", "float32", bos)
