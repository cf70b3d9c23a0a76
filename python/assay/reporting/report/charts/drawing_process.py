"""Draws Vega-Lite documents in a process of its own: `python -P drawing_process.py VERSION SCALE IDLE_S`.

A request is a line of JSON, `[kind, document]`; its answer is a line of JSON, `[drawn, bytes]`, followed by
so many bytes: the picture, or why there is none. The process ends with its input, or after `IDLE_S` seconds
without a request. It imports nothing of Assay.
"""

from __future__ import annotations

import json
import select
import signal
import sys

import vl_convert


def _drawn(kind: str, document: str, version: str, scale: float) -> bytes:
    if kind == "png":
        return bytes(vl_convert.vegalite_to_png(document, vl_version=version, scale=scale))
    return str(vl_convert.vegalite_to_svg(document, vl_version=version)).encode()


def main(version: str, scale: str, idle_s: str) -> None:
    """Answers requests until their end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the lab, whose end is the end of requests
    out = sys.stdout.buffer
    while select.select([sys.stdin], [], [], float(idle_s))[0]:  # a lab waits for each answer: one at a time
        line = sys.stdin.buffer.readline()
        if not line:
            return
        try:
            kind, document = json.loads(line)
            drawn, said = True, _drawn(kind, document, version, float(scale))
        except ValueError as error:
            drawn, said = False, str(error).encode(errors="replace")
        out.write(json.dumps([drawn, len(said)]).encode() + b"\n" + said)
        out.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
