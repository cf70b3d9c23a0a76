"""Whether root here may become another account: in a container it often is root in name alone.

Source: user_namespaces(7), capabilities(7).
"""

from __future__ import annotations

from assay.system.host.machine import Machine, labelled

_CAPABILITIES = {"CAP_CHOWN": 0, "CAP_SETGID": 6, "CAP_SETUID": 7}


def obstacle_to_become(uid: int, gid: int, machine: Machine | None = None) -> str | None:
    """Returns why root cannot start a process as this user and group, or give files to it; None when it
    can.
    """
    at = machine or Machine()
    for file, number, what in (("uid_map", uid, "user"), ("gid_map", gid, "group")):
        text = at.text(f"/proc/self/{file}")
        if text is not None and not any(_maps(line, number) for line in text.splitlines()):
            return f"this user namespace has no {what} {number}"
    if at.text("/proc/self/setgroups") == "deny":
        return "this user namespace does not allow setgroups"
    status = labelled(at.text("/proc/self/status") or "")
    held = int(status.get("CapEff", "ffffffffffffffff"), 16)
    missing = [name for name, bit in _CAPABILITIES.items() if not held >> bit & 1]
    return f"it lacks {', '.join(missing)}" if missing else None


def may_raise_limits(machine: Machine | None = None) -> bool:
    """Returns whether this process may raise a hard limit (CAP_SYS_RESOURCE of the first user namespace)."""
    at = machine or Machine()
    whole = (at.text("/proc/self/uid_map") or "0 0 4294967295").split() == ["0", "0", "4294967295"]
    held = int(labelled(at.text("/proc/self/status") or "").get("CapEff", "0"), 16)
    return whole and bool(held >> 24 & 1)


def _maps(line: str, number: int) -> bool:
    first, _, count = (int(word) for word in line.split())
    return first <= number < first + count
