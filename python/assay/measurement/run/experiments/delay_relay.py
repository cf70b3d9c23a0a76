"""Runs as a program between a source and its replicas: passes bytes on, delayed by some milliseconds each
way.

    python -I -S delay_relay.py DELAY_MS PORT

Listens on a free loopback port, which it prints, and connects every client to 127.0.0.1:PORT. What arrives at
t is sent on at t + DELAY_MS, or as soon after as the event loop wakes: up to 1 ms on a quiet machine, more on
a busy one. Nothing is lost, reordered or limited in bandwidth. It imports only the standard library, to start
quickly.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys

LOOPBACK = "127.0.0.1"
_CHUNK_BYTES = 65_536
_CHUNKS_UNDER_WAY = 1024  # one way of one connection; then the sender has to wait


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay_s: float) -> None:
    """Passes bytes on until the sender closes and the delayed ones have arrived, then closes the other
    side.
    """
    clock = asyncio.get_running_loop().time
    under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(_CHUNKS_UNDER_WAY)

    async def receive() -> None:
        data = b"more"
        while data:
            try:
                data = await reader.read(_CHUNK_BYTES)
            except ConnectionError:
                data = b""
            await under_way.put((clock() + delay_s, data))

    receiving = asyncio.create_task(receive())
    try:
        while True:
            due, data = await under_way.get()
            if (wait := due - clock()) > 0:
                await asyncio.sleep(wait)
            if not data:
                return
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass  # the other side has gone; ours is closed, too
    finally:
        receiving.cancel()
        writer.close()


async def _serve(delay_s: float, port: int) -> None:
    async def joined(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await asyncio.open_connection(LOOPBACK, port)
        except OSError:
            writer.close()
            return
        with contextlib.suppress(ConnectionError):
            await asyncio.gather(_pass_on(reader, there[1], delay_s), _pass_on(there[0], writer, delay_s))

    server = await asyncio.start_server(joined, LOOPBACK, 0)
    print(server.sockets[0].getsockname()[1], flush=True)  # noqa: T201 - read by the lab
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1]) / 1000, int(sys.argv[2])))
