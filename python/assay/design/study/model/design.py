"""The table `[design]`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from assay.design.study.model.table import OUTSIDE_IDENTITY, Frozen

MOST_BLOCKS = 99  # run ids number blocks with two digits


class Design(Frozen, strict=True):
    """The treatments that run, how often, and in which order."""

    kind: Annotated[
        Literal["factorial", "one-at-a-time", "plackett-burman", "latin-hypercube"],
        Field(
            description="All combinations of levels, the baseline with one factor changed, or a screen"
            " of many factors."
        ),
    ] = "factorial"
    fold_over: Annotated[
        bool,
        Field(
            description="plackett-burman: every treatment has its mirror image, so that main effects are"
            " clear of interactions of two factors."
        ),
    ] = True
    treatments: Annotated[
        int | None, Field(ge=4, le=999, description="latin-hypercube: how many; 24 when absent.")
    ] = None
    blocks: Annotated[
        int,
        Field(
            ge=1,
            le=MOST_BLOCKS,
            description="Passes over all treatments; six are the fewest that can decide.",
        ),
        OUTSIDE_IDENTITY,
    ] = 6
    loads: Annotated[
        int | None,
        Field(
            ge=1,
            le=MOST_BLOCKS,
            description="How often each dataset is loaded; blocks take the loads in turn. Three are the"
            " fewest that show the luck of a load. When absent: six where levels have data of their own,"
            " otherwise one.",
        ),
    ] = None
    first_load: Annotated[
        int,
        Field(
            ge=1, le=999, description="Number of the load that the first block has: another has other luck."
        ),
        OUTSIDE_IDENTITY,
    ] = 1
    order: Annotated[Literal["randomized", "as-written"], Field(description="Order within a block.")] = (
        "randomized"
    )
    seed: Annotated[
        int | None, Field(ge=0, lt=2**53, description="Orders the runs; made from the study when absent.")
    ] = None
    redo: Annotated[
        Literal["block", "run"],
        Field(description="What is done again after a failed run or a long pause within a block."),
        OUTSIDE_IDENTITY,
    ] = "block"
    fair: Annotated[
        Literal["report", "strict"],
        Field(description="strict: servers that are unequal in what the study does not vary raise a doubt."),
        OUTSIDE_IDENTITY,
    ] = "report"

    @property
    def screens(self) -> bool:
        """Whether the design is a screen, which compares levels of factors over all treatments."""
        return self.kind in ("plackett-burman", "latin-hypercube")
