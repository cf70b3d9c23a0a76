"""The knob of transparent huge pages: whether memory comes in pages of 2 MiB without a request."""

from __future__ import annotations

from assay.system.host.knob.file_knob import FileKnob


class HugePages(FileKnob):
    """`always`, `madvise` (where a program asks for it) or `never`, for memory allocated from then on."""

    name = "thp"
    absent = "this kernel was built without transparent huge pages"

    def file(self, target: str) -> str:
        return "/sys/kernel/mm/transparent_hugepage/enabled"
