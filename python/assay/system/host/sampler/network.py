"""The sampler `network`: traffic of each interface, and TCP's counters. Source: /proc/net/dev,
/proc/net/snmp, /proc/net/netstat (proc(5)).
"""

from __future__ import annotations

from assay.system.host.machine import Machine

# Field of a line of /proc/net/dev, after the name.
_FIELDS = {
    0: "received_bytes_total",
    1: "received_packets_total",
    2: "receive_errors_total",
    3: "receive_drops_total",
    8: "sent_bytes_total",
    9: "sent_packets_total",
    10: "send_errors_total",
    11: "send_drops_total",
}
_TCP = {
    ("Tcp", "RetransSegs"): "tcp.retransmitted_segments_total",
    ("TcpExt", "ListenOverflows"): "tcp.listen_overflows_total",
    ("TcpExt", "ListenDrops"): "tcp.listen_drops_total",
}


class NetworkSource:
    """Source `network`: `eth0.received_bytes_total`, `eth0.sent_packets_total` … of real interfaces and `lo`;
    `tcp.retransmitted_segments_total`, and `tcp.listen_drops_total`, connections dropped because they were
    not accepted in time.

    The values are those of this process's network namespace. The link of a client in a namespace of its own
    has no hardware behind it, and is not included.
    """

    name = "network"

    def __init__(self, machine: Machine | None = None) -> None:
        self._machine = machine or Machine()

    def read(self) -> dict[str, float]:
        values: dict[str, float] = {}
        for line in (self._machine.text("/proc/net/dev") or "").splitlines():
            name, mark, rest = line.partition(":")
            if mark and self._counts(name.strip()):
                fields = rest.split()
                for at, field in _FIELDS.items():
                    values[f"{name.strip()}.{field}"] = float(fields[at])
        for file in ("snmp", "netstat"):
            values |= self._tcp((self._machine.text(f"/proc/net/{file}") or "").splitlines())
        return values

    def _counts(self, name: str) -> bool:
        """Returns whether an interface is counted: bridges and links of containers would count the same bytes
        again.
        """
        return name == "lo" or self._machine.path(f"/sys/class/net/{name}/device").exists()

    @staticmethod
    def _tcp(lines: list[str]) -> dict[str, float]:
        """Returns TCP's counters from files that have two lines a protocol, names and then values."""
        values: dict[str, float] = {}
        for names, numbers in zip(lines[::2], lines[1::2], strict=False):
            protocol, *words = names.replace(":", "").split()
            for word, number in zip(words, numbers.split()[1:], strict=False):
                if (protocol, word) in _TCP:
                    values[_TCP[protocol, word]] = float(number)
        return values
