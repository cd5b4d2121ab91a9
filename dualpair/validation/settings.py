"""The config's section `validation`: who judges how many pairs, and what is done with the answers that come back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from dualpair.sections import Section
from dualpair.validation.ratings_settings import Ratings

AUTO = "auto"
DEFAULT = "default"
NO_BALANCE, BY_BIAS_TYPE = "none", "bias_type"

Text = Annotated[str, StringConstraints(min_length=1)]
Count = Annotated[int, Field(ge=0, strict=True)]
AtLeastOne = Annotated[int, Field(ge=1, strict=True)]


def _encoding(value: str) -> str:
    if value == AUTO:
        return value
    try:
        "".encode(value)  # refuses what is no encoding of text, such as base64, too
    except LookupError:
        raise ValueError(
            f"is no encoding known to Python (allowed: {AUTO}, or a name such as utf-8, cp1252, cp1251, gb18030)"
        ) from None
    return value


Encoding = Annotated[Text, AfterValidator(_encoding)]


def _as_mapping(value: Any) -> Any:
    return {"path": value} if isinstance(value, str) else value


class _Returned(Section):
    """One returned file or folder: a path, or a mapping."""

    path: Text = Field(description="File, or a folder of files.")
    annotator: Text | None = Field(default=None, description="Whose answers; null: the file, or its path, says so.")
    encoding: Encoding | None = Field(default=None, description="Encoding of a CSV file; null: that of all.")


ReturnedFile = Annotated[_Returned, BeforeValidator(_as_mapping)]


class Exclusion(Section):
    """Which annotators are left out."""

    attention_failures: Count | None = Field(
        description="Leave an annotator out who accepts more than so many mismatched pairs; null: nobody is left out."
    )


class Validation(Section):
    """Human validation: sheets that are handed out, and answers that come back."""

    accepted: AtLeastOne = Field(description="Accepted pairs per language and task.")
    mismatched: Count = Field(description="Mismatched pairs, which an attentive annotator rejects.")
    below_threshold: Count = Field(description="Pairs that a threshold dropped.")
    balance: Literal["none", "bias_type"] = Field(
        description="none: a simple random sample; bias_type: as many pairs of each bias type, rates are re-weighted."
    )
    annotators: AtLeastOne = Field(description="Sheets per language and task: the same items, each in its own order.")
    instructions: dict[str, Text] = Field(
        description="Language of the items (or `default`): language of its instructions, or a file of them; a language "
        "that is not named gets its own."
    )
    returned: list[ReturnedFile] = Field(
        description="Files that came back, or folders of them: XLSX, CSV or the page's export."
    )
    encoding: Encoding = Field(description="Encoding of returned CSV files; auto: UTF-8, or UTF-16 with its mark.")
    exclude: Exclusion
    target: Annotated[float, Field(gt=0.0, lt=1.0)] = Field(
        description="Accepted share that a suggested threshold must be sure of (lower end of the Wilson interval)."
    )
    apply: bool = Field(description="Drop the pairs that a majority of the annotators rejects.")
    ratings: Ratings | None = Field(description="Trait ratings of groups; null: none.")


def chosen(given: Mapping[str, str], langs: Iterable[str]) -> dict[str, str]:
    """Language of the items to the language, or the file, of its instructions.

    Args:
        given: `validation.instructions`.
        langs: languages of the items.
    """
    return {lang: given.get(lang, given.get(DEFAULT, lang)) for lang in langs}
