"""The config's section `analysis`: resampling, and what each analysis of the measures is told."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dualpair.sections import Section

Resamples = Annotated[int, Field(ge=100, strict=True)]
Repetitions = Annotated[int, Field(ge=1, strict=True)]


class SplitHalf(Section):
    """Split-half reliability (arXiv 2610.08747, section 5.1 and table 3)."""

    resamples: Repetitions = Field(description="Random halvings of each set's paraphrases; the paper has 200.")
    include_v0: bool = Field(description="Halve v0 together with the paraphrases; the paper leaves it out.")


class Wording(Section):
    """Robustness to wording (table 4)."""

    bertscore: str | None = Field(
        description="Masked model of the registry, or a local folder, for BERTScore; null: without."
    )


class Anova(Section):
    """Analysis of variance (table 5) and what stands beside it."""

    type: Literal[2, 3] = Field(description="Type of the sums of squares; 2 is the paper's.")
    resamples: Annotated[int, Field(ge=0, strict=True)] = Field(
        description="Resamples of clusters for intervals of eta squared; 0: none."
    )
    mixed_model: bool = Field(description="Fit a mixed model with the set as random effect, too.")


class Comparison(Section):
    """Paired comparisons of models."""

    permutations: Resamples = Field(description="Sign flips of clusters of a permutation test; exact where fewer do.")
    power: Annotated[float, Field(gt=0.5, lt=1.0)] = Field(
        description="Chance to find the smallest difference that is reported, at level 0.05."
    )


class Analysis(Section):
    """Uncertainty, and the analyses of the paper and beyond it."""

    bootstrap: Resamples = Field(description="Resamples of clusters for every interval.")
    anchor: str | None = Field(description="Language that the others are compared with on shared sets; null: none.")
    split_half: SplitHalf
    wording: Wording
    anova: Anova
    comparison: Comparison
