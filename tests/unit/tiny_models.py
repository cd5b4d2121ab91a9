"""Tiny random models and tokenizers, built in memory: every family's quirks in milliseconds."""

from __future__ import annotations

from typing import Any

from dualpair.models.causal_lm import LoadedLM
from tests.unit import tiny_causal

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


def loaded(family: str = "llama", tokenizer: Any = None, bos: str = "auto") -> LoadedLM:
    """A random model with its tokenizer, as `causal_lm.load` gives it."""
    tokenizer = byte_level() if tokenizer is None else tokenizer
    return LoadedLM(f"tiny-{family}", tiny_causal.causal(family, len(tokenizer)), tokenizer, "cpu", "float32", bos)


def byte_level_with_bos(adds: bool = True) -> Any:
    """Llama 3 style: byte-level BPE that has a BOS token, and puts it in front or not."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    special = ["<|begin_of_text|>", "<|end_of_text|>"]
    english = [s for s in SENTENCES if s.isascii()] * 20
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    core.train_from_iterator(
        english,
        trainers.BpeTrainer(vocab_size=330, special_tokens=special, initial_alphabet=alphabet, show_progress=False),
    )
    if adds:
        core.post_processor = processors.TemplateProcessing(
            single="<|begin_of_text|> $A", special_tokens=[("<|begin_of_text|>", 0)]
        )
    return PreTrainedTokenizerFast(tokenizer_object=core, bos_token=special[0], eos_token=special[1])


def two_bos_tokens() -> Any:
    """GLM style: two tokens in front of every text."""
    from tokenizers import processors

    tokenizer = byte_level(separator=False)
    tokenizer.add_special_tokens({"additional_special_tokens": ["[gMASK]", "<sop>"]})
    front = [(token, tokenizer.convert_tokens_to_ids(token)) for token in ("[gMASK]", "<sop>")]
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="[gMASK] <sop> $A", special_tokens=front
    )
    return tokenizer


def merging_chinese() -> Any:
    """Chinese pieces learned without word boundaries: group and attribute of a sentence share a token."""
    from tokenizers import Tokenizer, models, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE(unk_token="<unk>"))
    core.train_from_iterator(
        ["子最", "人话", *SENTENCES] * 20,
        trainers.BpeTrainer(vocab_size=120, special_tokens=["<unk>", "<|endoftext|>"], show_progress=False),
    )
    return PreTrainedTokenizerFast(tokenizer_object=core, unk_token="<unk>", eos_token="<|endoftext|>")


def with_chat(tokenizer: Any, writes_bos: str = "", marks: bool = True) -> Any:
    """The tokenizer with a chat template of its own; `marks` makes its turns special tokens, as real models do."""
    user, assistant, end = "<|user|>", "<|assistant|>", "<|end|>"
    if marks:
        tokenizer.add_special_tokens({"additional_special_tokens": [user, assistant, end]})
    tokenizer.chat_template = (
        f"{writes_bos}{{% for m in messages %}}{user}{{{{ m['content'] }}}}{end}{{% endfor %}}"
        f"{{% if add_generation_prompt %}}{assistant}{{% endif %}}"
    )
    return tokenizer
