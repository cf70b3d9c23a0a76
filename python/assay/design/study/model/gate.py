"""The table `[[gate]]`: its form in the file, and the gate."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from assay.design.study.claims import Claim
from assay.design.study.model import checks
from assay.design.study.model.checks import checked
from assay.design.study.model.hypothesis import Hypothesis
from assay.design.study.model.table import Table


class GateKeys(Table):
    """The keys of a gate but its claim, which a file has as text."""

    id: Annotated[str | None, Field(pattern=r"^\S+$", description="Names it for scales and reports.")] = None
    severity: Annotated[
        Literal["fail", "warn"], Field(description="Whether a claim that fails ends the command with 9.")
    ] = "fail"
    undecided: Annotated[
        Literal["warn", "fail", "pass"], Field(description="What a claim that stays undecided does.")
    ] = "warn"
    margin: Annotated[
        float, Field(ge=0, lt=1, strict=False, description="Region of indifference for this claim.")
    ] = 0
    at: Annotated[
        tuple[Annotated[float, Field(gt=0, strict=False)], ...] | str | None,
        checked(checks.points),
        Field(description='Where it must hold: rungs of the ladder, or "threads >= 16"; all when absent.'),
    ] = None


class GateRule(GateKeys):
    """A claim that results must meet before a change may pass: `assay gate` judges it."""

    claim: Claim  # it has `at`, too
    text: str  # the claim as the study writes it

    @property
    def hypothesis(self) -> Hypothesis:
        """The rule as a hypothesis, so that one judge decides both."""
        return Hypothesis(claims=(self.claim,), texts=(self.text,), margin=self.margin, at=self.at)


class GateTable(GateKeys):
    """One gate, which `assay gate` judges."""

    claim: Annotated[
        str,
        checked(checks.claim_text),
        WithJsonSchema({"type": "string"}),
        Field(description='What must hold: "tps[build=new]/tps[build=base] >= 0.97".'),
    ]

    def with_claim(self, claim: Claim) -> GateRule:
        """Returns the gate with its claim as the study's factors resolve it."""
        return GateRule(**{**self.written, "claim": claim}, text=self.claim)
