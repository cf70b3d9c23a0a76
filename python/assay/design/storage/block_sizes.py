"""Computes with the sizes of a storage job's operations: the smallest, the mean."""

from __future__ import annotations

from assay.base.format.job import Access, Blocks, Range


def smallest(access: Access) -> int:
    """Returns the bytes of the smallest operation of a job."""
    blocks = [access.read_blocks] if access.read_share > 0 else []
    blocks += [access.write_blocks] if access.read_share < 1 else []
    return min(min(_sizes(one)) for one in blocks)


def _sizes(blocks: Blocks) -> list[int]:
    match blocks:
        case int():
            return [blocks]
        case Range(from_=low):
            return [low]
        case _:
            return [share.bytes for share in blocks]


def mean(blocks: Blocks) -> float:
    match blocks:
        case int():
            return float(blocks)
        case Range(from_=low, to=high):
            return float(low + high // low * low) / 2
        case _:
            total = sum(share.weight for share in blocks)
            return sum(share.bytes * share.weight for share in blocks) / total
