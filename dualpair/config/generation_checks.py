"""Do the settings of the generating roles fit together?"""

from __future__ import annotations

from dualpair.config.derived import prompts_folder, starts_at_scoring
from dualpair.config.sections import Config
from dualpair.errors import InputError
from dualpair.generation import prompts


def problems(config: Config) -> list[str]:
    """Prompts that are not there or serve no language, and demands that cannot be met, one message each."""
    if starts_at_scoring(config):
        return []
    folder = config.generation.prompts
    if folder is not None and prompts_folder(config) is None:
        return [f"key `generation.prompts`: folder {folder!r} does not exist; correct the path, or set it to null"]
    problems = _answer_problems(config)
    for task in ("paraphrase", "alternate"):
        choice = getattr(config.generation, task).prompt
        key = f"generation.{task}.prompt"
        named = {key: choice} if isinstance(choice, str) else {f"{key}.{code}": name for code, name in choice.items()}
        if not isinstance(choice, str):
            problems += [
                f"key `{key}.{code}` is missing: language {code!r} is listed in `languages`; add it, or `default`"
                for code in config.languages
                if code not in choice and prompts.DEFAULT not in choice
            ]
        # A language's own prompt is looked for when something is generated: parsing needs none.
        for where, name in named.items():
            if name != prompts.NATIVE:
                problems += _unknown_prompt(where, task, name, prompts_folder(config))
    return problems


def _unknown_prompt(where: str, task: str, name: str, folder: str | None) -> list[str]:
    try:
        prompts.path_of(task, name, folder)
    except InputError as error:
        return [f"key `{where}`: value {name!r}: {error}"]
    return []


def _answer_problems(config: Config) -> list[str]:
    """Demands for more equal answers than a source gets."""
    problems = []
    for task, models in (("paraphrase", len(config.roles.paraphrase)), ("alternate", 1)):
        settings = getattr(config.generation, task)
        most = settings.samples * models
        given = settings.min_answers
        wanted = max(given.values()) if isinstance(given, dict) else given
        if settings.mode == "single" and wanted > most > 0:
            problems.append(
                f"key `generation.{task}.min_answers`: value {wanted}: a source gets {most} answers only "
                f"(allowed: 1 to {most}); lower it, or raise `samples`"
            )
    return problems
