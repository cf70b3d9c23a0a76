"""The claim `bottleneck[use=mysql@5.7] = cpu`: which resource limits the throughput."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast, get_args

from assay.design.study.claims.kind import ClaimKind
from assay.design.study.claims.reader import ClaimReader
from assay.design.study.claims.terms import Selector
from assay.design.study.nearest import did_you_mean

Resource = Literal["cpu", "disk", "lock", "log", "client"]
RESOURCES: tuple[str, ...] = get_args(Resource)
_BOTTLENECK = re.compile(r"bottleneck\b")
_IS = re.compile(r"!=|=")
_WORD = re.compile(r"[A-Za-z_]+")


@dataclass(frozen=True)
class CauseClaim(ClaimKind):
    """Claims that a resource is used up at the knee, or with `!=` that it is not."""

    selector: Selector
    relation: Literal["=", "!="]
    resource: Resource

    uses_margin = False

    @classmethod
    def parse(cls, text: ClaimReader) -> CauseClaim | None:
        if not text.match(_BOTTLENECK):
            return None
        selector = text.selector() if text.take("[") else Selector()
        at = text.skip()
        relation = text.match(_IS)
        if relation is None:
            text.fail('expected "=" or "!="', at)
        at = text.skip()
        word = text.match(_WORD)
        if word not in RESOURCES:
            text.fail(f'"{word or ""}" is not a bottleneck{did_you_mean(word or "", RESOURCES)}', at)
        return cls(selector, cast(Literal["=", "!="], relation), cast(Resource, word))

    def __str__(self) -> str:
        return f"bottleneck{self.selector} {self.relation} {self.resource}"
