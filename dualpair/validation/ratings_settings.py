"""The config's section `validation.ratings`: who is asked about which groups, and whose answers count."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from dualpair import traits
from dualpair.sections import Section
from dualpair.validation import ratings_text

ABC = "abc"
CHECKS = ("recall_group", "recall_traits", "self_agreement")

Check = Literal["recall_group", "recall_traits", "self_agreement"]


def _one_line(value: str) -> str:
    bad = [char for char in value if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in "\ufffe\uffff"]
    if bad:
        raise ValueError(f"has the character {bad[0]!r}; give one line without control characters")
    return value


Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True), AfterValidator(_one_line)]


def _as_mapping(value: Any) -> Any:
    return {"group": value, "names": {}} if isinstance(value, str) else value


class _Group(Section):
    """One group: what it is called in the results, and in the survey of each language."""

    group: Text
    names: dict[str, Text]


RatedGroup = Annotated[_Group, BeforeValidator(_as_mapping)]


class Ratings(Section):
    """Trait ratings: a survey with one slider a trait pair."""

    groups: Literal["abc"] | Annotated[list[RatedGroup], Field(min_length=2)] = Field(
        description="abc: the 26 groups of the paper; or a list of names, or of {group: ..., names: {ru: ...}}."
    )
    per_group: Annotated[int, Field(ge=1, strict=True)] = Field(description="Least ratings of a group, per language.")
    groups_per_annotator: Annotated[int, Field(ge=3, strict=True)] = Field(
        description="Pages of sliders that an annotator fills in; the last asks about one of the earlier groups again."
    )
    languages: Annotated[list[str], Field(min_length=1)] = Field(description="Languages of the survey.")
    min_self_agreement: Annotated[float, Field(ge=0.0, le=1.0)] = Field(
        description="Least share of sliders of the repeated group that were set alike both times."
    )
    agreement_points: Annotated[int, Field(ge=0, le=100, strict=True)] = Field(
        description="Two settings of a slider are alike when they differ by no more than so many points."
    )
    exclude: list[Check] = Field(description="Checks of which one failed leaves an annotator out; []: nobody.")
    returned: list[Text] = Field(description="Files that came back, or folders of them: XLSX, CSV, the page's export.")

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, value: Any) -> Any:
        if isinstance(value, cls) or (isinstance(value, dict) and not set(value) <= set(cls.model_fields)):
            return value  # an unknown key is told by its name
        missing = [name for name in cls.model_fields if not isinstance(value, dict) or name not in value]
        if missing:
            raise ValueError(f"lacks {', '.join(missing)}; copy the whole block from docs/ratings.md, or write null")
        return value

    @model_validator(mode="after")
    def _fits(self) -> Self:
        names = [one.group for one in self.rated()]
        for what, given in (("groups", names), ("languages", self.languages)):
            repeated = sorted({name for name in given if given.count(name) > 1})
            if repeated:
                raise ValueError(f"{what}: {repeated[0]!r} is named twice; name it once")
        given = [*self.languages, *(lang for one in self.rated() for lang in one.names)]
        unknown = [lang for lang in given if lang not in ratings_text.shipped()]
        if unknown:
            raise ValueError(f"no survey in language {unknown[0]!r} (allowed: {', '.join(ratings_text.shipped())})")
        if self.groups_per_annotator - 1 > len(names):
            raise ValueError(
                f"groups_per_annotator: {self.groups_per_annotator} pages need {self.groups_per_annotator - 1} "
                f"different groups, `groups` has {len(names)}; ask for fewer pages or name more groups"
            )
        for lang in self.languages:
            shown = [name for _, name in self.named(lang)]
            repeated = sorted({name for name in shown if shown.count(name) > 1})
            if repeated:
                raise ValueError(f"groups: two groups are called {repeated[0]!r} in {lang}; give them different names")
        return self

    def rated(self) -> list[_Group]:
        """The groups, in order."""
        if self.groups == ABC:
            return [_Group(group=name, names={}) for name in traits.abc().groups]
        return list(self.groups)  # type: ignore[arg-type]

    def named(self, lang: str) -> list[tuple[str, str]]:
        """Each group and its name in a language.

        Raises:
            ValueError: a survey in several languages, and no name in this one.
        """
        known = ratings_text.load(lang).groups
        found = []
        for one in self.rated():
            only = one.group if self.languages == [lang] else None
            name = one.names.get(lang) or known.get(one.group) or only
            if name is None:
                raise ValueError(
                    f"groups: {one.group!r} has no name in {lang!r}; write "
                    f"`- {{group: {one.group}, names: {{{lang}: ...}}}}`"
                )
            found.append((one.group, name))
        return found
