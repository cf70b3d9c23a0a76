"""Transparent huge pages: whether memory comes in pages of 2 MiB without being asked for."""

from __future__ import annotations

from assay.host.knob.file_knob import FileKnob


class HugePages(FileKnob):
    """`always`, `madvise` (where a program says so), `never`. Of memory that is taken from then on."""

    name = "thp"
    absent = "this kernel was built without transparent huge pages"

    def file(self, target: str) -> str:
        return "/sys/kernel/mm/transparent_hugepage/enabled"
