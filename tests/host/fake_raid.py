"""Stands in for a vendor's command line: answers in the form of recorded outputs, keeps what it is told.

    storcli64|perccli64|MegaCli64|ssacli ARGUMENT…      called by one of these names

State is JSON in the file that $FAKE_RAID names. `battery: false` makes write-back fall back to write-through,
as controllers do; `delay`: seconds before something is set. Arguments of every call are appended to `calls`.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path

STATE = Path(os.environ.get("FAKE_RAID", "/nonexistent"))
FIRST = {
    "write": "WriteBack",
    "read": "ReadAdaptive",
    "io": "Direct",
    "bgi": 30,
    "battery": True,
    "calls": [],
}


def main() -> int:
    state = json.loads(STATE.read_text())
    name, words = Path(sys.argv[0]).name, sys.argv[1:]
    state["calls"].append(words)
    if "set" in words and (delay := state.get("delay")):
        STATE.with_suffix(".busy").touch()
        time.sleep(delay)
    answer = {"storcli64": storcli, "perccli64": storcli, "MegaCli64": megacli, "ssacli": ssacli}[name]
    text, code = answer(words, state)
    STATE.write_text(json.dumps(state))
    print(text)
    return code


def in_force(state: dict) -> str:
    return state["write"] if state["battery"] or state["write"] != "WriteBack" else "WriteThrough"


# storcli and perccli: JSON of their manual's form.

CODES = {"WriteBack": "WB", "WriteThrough": "WT", "AlwaysWriteBack": "AWB"}


def storcli(words: list[str], state: dict) -> tuple[str, int]:
    assert words[-1] == "J", words
    read = "NR" if state["read"] == "NORA" else "R"
    code = read + CODES[in_force(state)] + state["io"][0]
    drive = {
        "DG/VD": "0/1", "TYPE": "RAID10", "State": "Optl", "Access": "RW", "Consist": "Yes", "Cache": code,
        "Cac": "-", "sCC": "ON", "Size": "2.180 TB", "Name": "data",
    }  # fmt: skip
    match words[:-1]:
        case ["/call/vall" | "/c0/v1", "show", "all"]:
            data = {
                "/c0/v1": [drive],
                "PDs for VD 1": [],
                "VD1 Properties": {
                    "Strip Size": "256 KB", "Disk Cache Policy": "Disabled", "OS Drive Name": "/dev/sda",
                    "Write Cache(initial setting)": state["write"],
                },
            }  # fmt: skip
        case ["/call", "show", "all"]:
            data = {
                "Basics": {"Controller": 0, "Model": "SAS9361-8i", "PCI Address": "00:03:00:00"},
                "Version": {"Firmware Version": "4.680.00-8555", "Driver Version": "07.714.04.00-rc1"},
                "Cachevault_Info": [{"Model": "CVPM02", "State": "Optimal", "Temp": "27C"}],
            }
        case ["/c0/v1", "show"]:
            data = {"Virtual Drives": [drive]}
        case ["/c0", "show", "bgirate"]:
            data = {"Controller Properties": [{"Ctrl_Prop": "BGI Rate", "Value": f"{state['bgi']}%"}]}
        case ["/c0/v1", "set", setting]:
            key, value = setting.split("=")
            if key == "rdcache" and value == "adra":
                return failed("Invalid value"), 1
            names = {"wb": "WriteBack", "wt": "WriteThrough", "awb": "AlwaysWriteBack", "nora": "NORA"}
            names |= {"ra": "RA", "direct": "Direct", "cached": "Cached"}
            state[{"wrcache": "write", "rdcache": "read", "iopolicy": "io"}[key]] = names[value]
            data = None
        case ["/c0", "set", setting]:
            state["bgi"] = int(setting.removeprefix("bgirate="))
            data = None
        case _:
            return failed(f"syntax error, unexpected {words}"), 255
    status = {
        "CLI Version": "007.1017.0000.0000",
        "Controller": 0,
        "Status": "Success",
        "Description": "None",
    }
    controller = {"Command Status": status} | ({} if data is None else {"Response Data": data})
    return json.dumps({"Controllers": [controller]}, indent=1), 0


def failed(reason: str) -> str:
    details = [{"VD": 1, "Status": "Failed", "ErrCd": 255, "ErrMsg": reason}]
    status = {"Controller": 0, "Status": "Failure", "Description": "None", "Detailed Status": details}
    return json.dumps({"Controllers": [{"Command Status": status}]})


# MegaCli: text.


def megacli(words: list[str], state: dict) -> tuple[str, int]:
    assert words[-1] == "-NoLog", words
    bgi = re.fullmatch(r"-AdpSetProp BgiRate -(\d+) -a0 -NoLog", " ".join(words))
    if bgi:
        state["bgi"] = int(bgi[1])
        return f"\nAdapter 0: Set BGI Rate to {bgi[1]}% success.\n\nExit Code: 0x00", 0
    match words[:-1]:
        case ["-AdpGetPciInfo", "-aALL"]:
            return (
                "\nPCI information for Controller 0\n--------------------------------\n"
                "Bus Number      : 3\nDevice Number   : 0\nFunction Number : 0\n\nExit Code: 0x00"
            ), 0
        case ["-LDInfo", "-LALL", "-aALL"] | ["-LDInfo", "-L1", "-a0"]:
            tail = f"{state['read']}, {state['io']}, No Write Cache if Bad BBU"
            return (
                "\n\nAdapter 0 -- Virtual Drive Information:\nVirtual Drive: 1 (Target Id: 1)\n"
                "Name                :data\n"
                "RAID Level          : Primary-1, Secondary-0, RAID Level Qualifier-0\n"
                "Size                : 2.180 TB\nState               : Optimal\n"
                f"Default Cache Policy: {state['write']}, {tail}\n"
                f"Current Cache Policy: {in_force(state)}, {tail}\n"
                "Default Access Policy: Read/Write\n\n\nExit Code: 0x00"
            ), 0
        case ["-AdpGetProp", "BgiRate", "-a0"]:
            return f"\nAdapter 0: BGI Rate = {state['bgi']}%\n\nExit Code: 0x00", 0
        case ["-LDSetProp", word, "-L1", "-a0"]:
            new = {"WB": "WriteBack", "WT": "WriteThrough", "NORA": "ReadAheadNone", "RA": "ReadAhead"}
            new |= {"ADRA": "ReadAdaptive", "-Direct": "Direct", "-Cached": "Cached"}
            kind = "write" if word in ("WB", "WT") else "io" if word[0] == "-" else "read"
            state[kind] = new[word]
            return "\nSet policy on Adapter 0, VD 1 (target id: 1) success\n\nExit Code: 0x00", 0
    return f"Invalid input at or near token {words}\n\nExit Code: 0x01", 1


# ssacli: indented text.


def ssacli(words: list[str], state: dict) -> tuple[str, int]:
    caching = "Enabled" if in_force(state) == "WriteBack" else "Disabled"
    drive = (
        "\nSmart Array P440ar in Slot 0 (Embedded)\n\n   Array A\n\n      Logical Drive: 1\n"
        "         Size: 1.09 TB\n         Fault Tolerance: 1+0\n         Strip Size: 256 KB\n"
        f"         Status: OK\n         Caching:  {caching}\n         Disk Name: /dev/sda \n"
        "         Mount Points: /data 1.09 TB Partition Number 1\n"
    )
    match words:
        case ["ctrl", "all", "show", "detail"]:
            return (
                "\nSmart Array P440ar in Slot 0 (Embedded)\n   Bus Interface: PCI\n   Slot: 0\n"
                "   Firmware Version: 7.00\n   Cache Ratio: 10% Read / 90% Write\n"
                "   Drive Write Cache: Disabled\n   Battery/Capacitor Status: OK\n"
            ), 0
        case ["ctrl", "slot=0", "ld", "all" | "1", "show", "detail"]:
            return drive, 0
        case ["ctrl", "slot=0", "ld", "1", "modify", "caching=enable" | "caching=disable" as word]:
            state["write"] = "WriteBack" if word.endswith("enable") else "WriteThrough"
            return "", 0
    return f"\nError: The specified command {words} is not valid.", 1


if __name__ == "__main__":
    sys.exit(main())
