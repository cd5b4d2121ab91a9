"""Running a model in vLLM: environment, arguments, memory, start and stop; knows nothing of what is asked of it.

Everything that vLLM decides by environment variables is set in `prepare`, before vLLM is imported. An engine runs in
this process on a CPU (half the start-up time) and in a process of its own on a GPU, because ending that process is the
one way of getting the GPU's memory back that always works.
"""

from __future__ import annotations

import atexit
import gc
import importlib.util
import json
import logging
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dualpair.errors import InputError, PrerequisiteError
from dualpair.models import adapter as adapters
from dualpair.models import causal_lm, checkpoint, fingerprint
from dualpair.models.registry import ModelEntry

log = logging.getLogger(__name__)

GPU_MEMORY_SHARE = 0.8  # of each GPU, for weights and keys; vLLM's own 0.92 leaves no room for prompt log-probabilities
_BYTES_PER_LOGIT = 6  # logits in half precision and their log-probabilities in float32
_GIB = 1 << 30
_CPU_BLOCK = 32  # tokens of a block of keys; vLLM's 128 on CPUs lets few short sentences run together
_MOST_SEQUENCES = 256
_LORA_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)  # sizes that vLLM reserves
_MERGE = "merge it into its base and name the merged folder in `source:`, or use engine transformers, which merges it"
_FIRST_PORT, _PORTS_PER_JOB, _JOBS = 20000, 16, 750  # below the ports that the system hands out by itself

# Arguments that are decided elsewhere, or that would break the scoring contract.
RESERVED = {
    "model": "`source` and `subfolder`",
    "tokenizer": "`tokenizer`",
    "revision": "`revision`",
    "tokenizer_revision": "`tokenizer_revision`",
    "dtype": "`dtype`",
    "tensor_parallel_size": "`gpus`",
    "enable_lora": "`adapter`",
    "enable_prefix_caching": "the scoring contract: with it, scores depend on the order of the sentences",
    "logprobs_mode": "the scoring contract",
    "logits_processors": "the scoring contract",
    "skip_tokenizer_init": "the scoring contract: texts are tokenised before",
    "trust_remote_code": "safety: code that comes with weights is never run",
    "hf_token": "the environment variable HF_TOKEN: a key does not belong into a config",
}
# Arguments that change speed and memory only; all others may change the numbers.
_HARMLESS = frozenset(
    {
        "gpu_memory_utilization", "kv_cache_memory_bytes", "max_num_batched_tokens", "max_num_seqs", "max_model_len",
        "enforce_eager", "compilation_config", "cpu_offload_gb", "block_size", "swap_space", "enable_chunked_prefill",
        "disable_custom_all_reduce", "max_parallel_loading_workers", "disable_log_stats", "use_tqdm_on_load",
        "pipeline_parallel_size", "distributed_executor_backend", "seed",
    }
)  # fmt: skip


class Lora(NamedTuple):
    """A checked LoRA adapter: its folder, its largest rank, and the last names of the layers that it changes."""

    folder: Path
    rank: int
    layers: tuple[str, ...]


class Checkpoint(NamedTuple):
    """A registry entry's files on this machine."""

    name: str
    weights: Path
    adapter: Lora | None


class Facts(NamedTuple):
    """What vLLM itself reads from a checkpoint's config: longest context, vocabulary, quantisation method or None."""

    max_tokens: int
    vocabulary: int
    quantisation: str | None
    cache_bytes_per_token: int


class Sampling(NamedTuple):
    """How one answer is written; top_k 0 keeps all tokens, schema is a JSON schema or empty."""

    max_tokens: int
    temperature: float
    top_p: float
    top_k: int
    seed: int
    stop: tuple[str, ...] = ()
    end_tokens: tuple[int, ...] = ()
    schema: str = ""


class Written(NamedTuple):
    """Token ids of an answer, an end token included, and why it ended (vLLM's stop, length, abort)."""

    tokens: tuple[int, ...]
    finish_reason: str


def require() -> None:
    """Refuse to go on in an environment without vLLM.

    Raises:
        PrerequisiteError: with the command that makes vLLM's own environment.
    """
    if importlib.util.find_spec("vllm") is None:
        raise PrerequisiteError(
            f"vLLM is not installed in {sys.prefix}: run `make vllm`, which makes its own environment (.venv-vllm "
            "beside the Snakefile), or set `execution.vllm_python` to an interpreter that exists and has vLLM"
        )


def decisive(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Those of an entry's `vllm:` arguments that may change the numbers: they belong into the key of stored answers."""
    return {key: arguments[key] for key in sorted(arguments) if key not in _HARMLESS}


def check_arguments(name: str, arguments: Mapping[str, Any]) -> None:
    """Refuse arguments of `vllm:` that something else decides.

    Raises:
        InputError: the key, and what decides it.
    """
    for key in sorted(set(arguments) & set(RESERVED)):
        raise InputError(
            f"key `models.{name}.vllm.{key}`: cannot be set here: it is decided by {RESERVED[key]}; remove it"
        )


def files(entry: ModelEntry, name: str, offline: bool) -> Checkpoint:
    """Find, fetch where that is allowed, and check the files of an entry; imports neither torch nor vLLM.

    Raises:
        ValueError: as `fingerprint.location`, or an adapter made for another model.
        PrerequisiteError: files that are not there, or an adapter that vLLM cannot run.
    """
    weights = _folder(entry.source, entry.revision, entry.subfolder, offline)
    checkpoint.check(weights, tokenizer=entry.tokenizer is None)
    if entry.adapter is None:
        return Checkpoint(name, weights, None)
    place = fingerprint.location(entry.adapter, entry.adapter_revision)
    added = adapters.read(place, entry.adapter_revision, offline)
    adapters.check_base(added, fingerprint.hub_names(entry.source, entry.hf_equivalent))
    return Checkpoint(name, weights, _lora(added))


def tokenizer(entry: ModelEntry, found: Checkpoint, offline: bool) -> Any:
    """The entry's tokenizer, a fast one of transformers.

    Raises:
        PrerequisiteError: it is not there, or not fast.
    """
    if entry.tokenizer is None:
        place, revision = str(found.weights), ""
    else:
        place, revision = fingerprint.location(entry.tokenizer, entry.tokenizer_revision), entry.tokenizer_revision
    return causal_lm.load_tokenizer(causal_lm.load_arguments(place, revision, offline))


def prepare(offline: bool) -> None:
    """Set what vLLM reads from the environment; variables that the user has set are left alone.

    Ports and caches are the job's own, since jobs on one machine would race for them.
    """
    wanted = {
        "VLLM_NO_USAGE_STATS": "1",
        "DO_NOT_TRACK": "1",
        "VLLM_LOGGING_LEVEL": "ERROR",
        "VLLM_PORT": str(_FIRST_PORT + _PORTS_PER_JOB * (os.getpid() % _JOBS)),
        "VLLM_WORKER_MULTIPROC_METHOD": "spawn",
    }
    for key, value in wanted.items():
        os.environ.setdefault(key, value)
    logging.getLogger("vllm").setLevel(os.environ["VLLM_LOGGING_LEVEL"].upper())  # it sets its own level too late
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"
        os.environ["TRANSFORMERS_OFFLINE"] = "1"
    folder = _job_folder()
    for key in ("VLLM_CACHE_ROOT", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"):
        os.environ[key] = str(folder / key.lower())
    if shutil.which(os.environ.get("CXX", "g++")) is None:
        os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")  # small functions are compiled at first use
    os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0" if on_cpu() else "1")


def on_cpu() -> bool:
    """Whether the vLLM that is installed runs on the CPU."""
    from vllm.platforms import current_platform

    return bool(current_platform.is_cpu())


def facts(found: Checkpoint, dtype: str, arguments: Mapping[str, Any]) -> Facts:
    """Read a checkpoint's config the way that vLLM does; loads no weights.

    Args:
        found: from `files`.
        dtype: bfloat16, float16 or float32.
        arguments: the entry's `vllm:`.

    Raises:
        InputError: vLLM refuses the checkpoint, the dtype or an argument.
    """
    from vllm.engine.arg_utils import EngineArgs

    given = {key: value for key, value in arguments.items() if key != "max_model_len"}
    try:
        made = EngineArgs(model=str(found.weights), skip_tokenizer_init=True, dtype=dtype, **given)
        config = made.create_model_config()
    except (ValueError, TypeError, NotImplementedError) as error:
        raise InputError(_refused(found.name, error)) from error
    numbers = 2 * config.get_total_num_hidden_layers() * config.get_total_num_kv_heads() * config.get_head_size()
    size = 4 if dtype == "float32" else 2
    return Facts(config.max_model_len, config.get_vocab_size(), config.quantization, numbers * size)


def fitting_budget(wanted: int, vocabulary: int, free: float) -> int:
    """Tokens of one step whose prompt log-probabilities fit into the memory that vLLM does not take for itself.

    Args:
        wanted: the token budget.
        vocabulary: entries of the vocabulary.
        free: bytes; logits and log-probabilities of a token need 6 for each entry of the vocabulary.

    Returns:
        At least 1 and at most ``wanted``.
    """
    return max(1, min(wanted, int(free // (vocabulary * _BYTES_PER_LOGIT))))


def free_memory(arguments: Mapping[str, Any]) -> float:
    """Bytes left for prompt log-probabilities: what vLLM does not reserve of a GPU, or half of the free memory."""
    if on_cpu():
        import psutil

        return float(psutil.virtual_memory().available) / 2
    from vllm.platforms import current_platform

    share = float(arguments.get("gpu_memory_utilization", GPU_MEMORY_SHARE))
    return (1.0 - share) * float(current_platform.get_device_total_memory())


def engine_arguments(
    found: Checkpoint, known: Facts, entry: ModelEntry, dtype: str, tokens: int, max_tokens: int, cpu: bool
) -> dict[str, Any]:
    """Arguments of `vllm.LLM`; what the entry's `vllm:` names wins, but for `max_num_batched_tokens` (see `tokens`).

    Args:
        found: from `files`.
        known: from `facts`.
        entry: registry entry: `gpus` and `vllm` are used.
        dtype: bfloat16, float16 or float32.
        tokens: most tokens of one step: the token budget, which is halved when memory runs out.
        max_tokens: longest context to be ready for.
        cpu: whether vLLM runs on the CPU.
    """
    arguments: dict[str, Any] = {
        "model": str(found.weights),
        "skip_tokenizer_init": True,
        "dtype": dtype,
        "load_format": "safetensors",
        "tensor_parallel_size": max(1, entry.gpus),
        "max_model_len": max_tokens,
        "max_num_batched_tokens": max(tokens, max_tokens),
        "max_num_seqs": max(1, min(_MOST_SEQUENCES, tokens)),
        "enable_chunked_prefill": False,
        "enable_prefix_caching": False,
        "logprobs_mode": "raw_logprobs",
        "enforce_eager": True,
        "generation_config": "vllm",
        "seed": 0,
        "disable_log_stats": True,
        "use_tqdm_on_load": False,
    }
    if cpu:
        arguments["kv_cache_memory_bytes"] = max(_GIB, 2 * known.cache_bytes_per_token * max_tokens)
        arguments["block_size"] = _CPU_BLOCK
    else:
        arguments["gpu_memory_utilization"] = GPU_MEMORY_SHARE
    if found.adapter is not None:
        rank = next(size for size in _LORA_RANKS if size >= found.adapter.rank)
        # Named, since else the vocabulary matrix is wrapped too, and prompt log-probabilities fail.
        layers = list(found.adapter.layers)
        arguments.update(enable_lora=True, max_loras=1, max_lora_rank=rank, lora_target_modules=layers)
    return {**arguments, **{key: value for key, value in entry.vllm.items() if key != "max_num_batched_tokens"}}


def check_quantisation(name: str, recorded: str, method: str | None) -> None:
    """Compare what would be recorded with what vLLM runs.

    Args:
        name: registry name.
        recorded: label, "none", or a label that ends in `-dequantised`.
        method: vLLM's name of the method, or None.

    Raises:
        InputError: one of them says that the weights are quantised, the other that they are not.
    """
    plain = recorded == "none" or recorded.endswith("-dequantised")
    if plain != (method is None):
        raise InputError(
            f"model {name!r}: its rows would be recorded with quantisation {recorded!r}, but vLLM runs it with "
            f"{method or 'none'!r}: set `quantisation:` of the model's entry to what is run"
        )


class Running:
    """A started engine with the adapter that every request uses.

    Args:
        found: from `files`.
        arguments: from `engine_arguments`.

    Raises:
        InputError: vLLM refuses an argument, or cannot run this kind of weights here.
        PrerequisiteError: it does not start, most often for want of memory.
    """

    def __init__(self, found: Checkpoint, arguments: Mapping[str, Any]) -> None:
        from vllm import LLM

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)
                self.llm: Any = LLM(**arguments)
        except (ValueError, TypeError, NotImplementedError) as error:
            raise InputError(_refused(found.name, error)) from error
        except (MemoryError, RuntimeError) as error:
            raise PrerequisiteError(
                f"model {found.name!r}: vLLM does not start: {str(error).strip()}. Its own messages say why; often "
                "too little memory for the weights: raise `gpus`, or `gpu_memory_utilization` in `vllm:` of its entry"
            ) from error
        self.max_tokens = int(arguments["max_model_len"])
        self._lora: Any = None
        if found.adapter is not None:
            from vllm.lora.request import LoRARequest

            self._lora = LoRARequest("adapter", 1, str(found.adapter.folder))

    def prompt_logprobs(self, texts: Sequence[tuple[int, ...]]) -> list[list[Mapping[int, float] | None]]:
        """Natural log-probabilities by token id for each position of each text; None at the first.

        The text's own token is among them; since `prompt_logprobs` is 0, it is the only one.

        Args:
            texts: token ids, 2 to ``max_tokens - 1`` each: vLLM always makes one more.
        """
        from vllm import SamplingParams, TokensPrompt

        params = SamplingParams(max_tokens=1, temperature=1.0, seed=0, prompt_logprobs=0, detokenize=False)
        prompts = [TokensPrompt(prompt_token_ids=list(text)) for text in texts]
        outputs = self.llm.generate(prompts, params, use_tqdm=False, lora_request=self._lora)
        return [[_values(position) for position in output.prompt_logprobs or []] for output in outputs]

    def generate(self, prompts: Sequence[Sequence[int]], wanted: Sequence[Sampling]) -> list[Written]:
        """Write an answer to each prompt (token ids, with BOS where the model has one), all in one batch."""
        from vllm import TokensPrompt

        texts = [TokensPrompt(prompt_token_ids=list(prompt)) for prompt in prompts]
        parameters = [_sampling_parameters(one) for one in wanted]
        outputs = self.llm.generate(texts, parameters, use_tqdm=False, lora_request=self._lora)
        found = [output.outputs[0] for output in outputs]
        return [Written(tuple(one.token_ids), str(one.finish_reason)) for one in found]

    def stop(self) -> None:
        """End the engine and give its memory back; calling it twice is harmless."""
        llm, self.llm = self.llm, None
        if llm is None:
            return
        from vllm.distributed import cleanup_dist_env_and_memory

        llm.llm_engine.engine_core.shutdown()
        del llm
        gc.collect()
        cleanup_dist_env_and_memory()


def _sampling_parameters(wanted: Sampling) -> Any:
    from vllm import SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    return SamplingParams(
        max_tokens=wanted.max_tokens,
        temperature=wanted.temperature,
        top_p=wanted.top_p,
        top_k=wanted.top_k,
        seed=wanted.seed,
        stop=list(wanted.stop),
        stop_token_ids=list(wanted.end_tokens),
        structured_outputs=StructuredOutputsParams(json=wanted.schema) if wanted.schema else None,
    )


def _values(position: Mapping[int, Any] | None) -> Mapping[int, float] | None:
    return None if position is None else {token: float(value.logprob) for token, value in position.items()}


def _folder(source: str, revision: str, subfolder: str, offline: bool) -> Path:
    place = fingerprint.location(source, revision, offline=offline)
    found = checkpoint.local(place, revision, subfolder)
    if not offline and not Path(place).is_dir():
        patterns = (*checkpoint.TEXT_PATTERNS, *checkpoint.WEIGHT_PATTERNS)
        return checkpoint.within(checkpoint.download(place, revision, patterns, subfolder), subfolder)
    if found is None:
        raise PrerequisiteError(checkpoint.absent(place, revision))
    return found


def _lora(found: adapters.Adapter) -> Lora:
    """What vLLM must know of an adapter; refuses those that it would apply to the text in part only.

    vLLM leaves an adapter's change of the vocabulary matrix out of prompt log-probabilities without a word
    (vllm-project/vllm#51594).
    """
    rank = max(int(value) for value in (found.config.get("r", 0), *(found.config.get("rank_pattern") or {}).values()))
    if not 1 <= rank <= _LORA_RANKS[-1]:
        raise InputError(f"adapter {found.name}: rank {rank} (allowed with vLLM: 1 to {_LORA_RANKS[-1]}); {_MERGE}")
    with open(found.folder / checkpoint.ADAPTER_WEIGHTS, "rb") as source:
        names = json.loads(source.read(int.from_bytes(source.read(8), "little")))
    layers = {name.partition(".lora_")[0].rpartition(".")[2] for name in names if name != "__metadata__"}
    ends = sorted(name for name in layers if name in ("lm_head", "embed_out", "embed_tokens", "wte", "embed_in"))
    if ends or found.config.get("modules_to_save"):
        changed = ", ".join(ends or found.config["modules_to_save"])
        raise InputError(
            f"adapter {found.name} changes {changed}, which vLLM does not apply to prompt log-probabilities; {_MERGE}"
        )
    return Lora(found.folder, rank, tuple(sorted(layers)))


def _refused(name: str, error: BaseException) -> str:
    return (
        f"model {name!r}: vLLM refuses it: {str(error).strip()} (its arguments come from `dtype`, `gpus` and "
        "`vllm:` of the model's entry)"
    )


_FOLDERS: list[Path] = []


def _job_folder() -> Path:
    """This process's own cache folder, removed at its end."""
    if not _FOLDERS:
        job = os.environ.get("SLURM_JOB_ID", str(os.getpid()))
        _FOLDERS.append(Path(tempfile.mkdtemp(prefix=f"dualpair-vllm-{job}-")))
        atexit.register(shutil.rmtree, _FOLDERS[0], ignore_errors=True)
    return _FOLDERS[0]
