"""Stands in for a vendor's command line: answers with recorded outputs, and records the commands it gets.

    storcli64|perccli64|MegaCli64 ARGUMENT…      called by one of these names

State is JSON in the file that $FAKE_RAID names. `battery: false` makes write-back fall back to write-through,
as controllers do; `bad_bbu`: what MegaCli calls a cache that is good without one; `delay`: seconds before
something is set, from when a file beside it ends in `.go`. Arguments of every call are appended to `calls`.
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
    "bad_bbu": False,
    "calls": [],
}


def main() -> int:
    state = json.loads(STATE.read_text())
    name, words = Path(sys.argv[0]).name, sys.argv[1:]
    state["calls"].append(words)
    if "set" in words and (delay := state.get("delay")):
        STATE.with_suffix(".busy").touch()
        while not STATE.with_suffix(".go").exists():
            time.sleep(0.01)
        time.sleep(delay)
    answer = {"storcli64": storcli, "perccli64": storcli, "MegaCli64": megacli}[name]
    text, code = answer(words, state)
    STATE.write_text(json.dumps(state))
    print(text)
    return code


def in_force(state: dict) -> str:
    return state["write"] if state["battery"] or state["write"] != "WriteBack" else "WriteThrough"


# storcli and perccli: JSON. A second controller, without RAID, refuses.

CODES = {"WriteBack": "WB", "WriteThrough": "WT", "AlwaysWriteBack": "AWB"}
NAMES = {"wb": "WriteBack", "wt": "WriteThrough", "awb": "AlwaysWriteBack", "nora": "NORA", "ra": "RA"}
NAMES |= {"adra": "ReadAdaptive", "direct": "Direct", "cached": "Cached"}
KEYS = {"wrcache": "write", "rdcache": "read", "iopolicy": "io"}
NAA = "600605b00afa17c92d0e4c5b11fe8801"


def storcli(words: list[str], state: dict) -> tuple[str, int]:
    assert words[-1] == "J", words
    read = {"NORA": "NR", "RA": "R", "ReadAdaptive": "Ra"}[state["read"]]
    code = read + CODES[in_force(state)] + state["io"][0]
    drive = {
        "DG/VD": "0/1", "TYPE": "RAID10", "State": "Optl", "Access": "RW", "Consist": "Yes", "Cache": code,
        "Cac": "-", "sCC": "ON", "Size": "2.180 TB", "Name": "data",
    }  # fmt: skip
    match words[:-1]:
        case ["/call/vall" | "/c0/v1", "show", "all"]:
            disks = [
                {"EID:Slt": f"252:{slot}", "DID": 8 + slot, "State": "Onln", "DG": 0, "Size": "1.090 TB",
                 "Intf": "SAS", "Med": "HDD", "Model": "ST1200MM0088    ", "Sp": "U"}
                for slot in range(4)
            ]  # fmt: skip
            properties = {
                "Strip Size": "256 KB", "Number of Blocks": 4682760192, "VD has Emulated PD": "Yes",
                "Span Depth": 2, "Number of Drives Per Span": 2,
                "Write Cache(initial setting)": state["write"], "Disk Cache Policy": "Disabled",
                "Encryption": "None", "Data Protection": "None", "Active Operations": "None",
                "Exposed to OS": "Yes", "OS Drive Name": "/dev/sda", "Emulation type": "default",
                "Is LD Ready for OS Requests": "Yes", "SCSI NAA Id": NAA,
            }  # fmt: skip
            for absent in state.get("without", []):
                del properties[absent]
            data = {"/c0/v1": [drive], "PDs for VD 1": disks, "VD1 Properties": properties}
            more = [refusing(1, "Un-supported command")] if words[0] == "/call/vall" else []
            return controllers(success(data), *more), 0
        case ["/call", "show", "all"]:
            data = {
                "Basics": {"Controller": 0, "Model": "MegaRAID 9361-8i", "PCI Address": "00:03:00:00"},
                "Version": {
                    "Firmware Package Build": "24.21.0-0126", "Firmware Version": "4.680.00-8519",
                    "Driver Name": "megaraid_sas", "Driver Version": "07.714.04.00-rc1",
                },
                "HwCfg": {"BBU": "Present", "Current Size of FW Cache (MB)": 729},
                "Policies": {"Policies Table": [{"Policy": "BGI Rate", "Current": "30 %", "Default": "30%"}]},
                "Cachevault_Info": [{"Model": "CVPM02", "State": "Optimal", "Temp": "27C", "Mode": "-"}],
            }  # fmt: skip
            return controllers(success(data)), 0
        case ["/c0/v1", "show"]:
            return controllers(success({"Virtual Drives": [drive]})), 0
        case ["/c0", "show", "bgirate"]:
            properties = [{"Ctrl_Prop": "BGI Rate", "Value": f"{state['bgi']}%"}]
            return controllers(success({"Controller Properties": properties})), 0
        case ["/c0/v1", "set", setting]:
            key, value = setting.split("=")
            if value == "adra" and state["read"] != "ReadAdaptive" and state.get("release", 7) >= 7:
                return plain("syntax error, unexpected TOKEN_UNKNOWN"), 255
            state[KEYS[key]] = NAMES[value]
            return controllers(
                done("VD", 1, {"wrcache": "wrCache", "rdcache": "rdCache"}.get(key, "IoPolicy"))
            ), 0
        case ["/c0", "set", setting]:
            state["bgi"] = int(setting.removeprefix("bgirate="))
            return controllers(done("Controller", 0, "BGI Rate")), 0
    return plain(f"syntax error, unexpected {words}"), 255


def controllers(*answers: dict) -> str:
    return json.dumps({"Controllers": list(answers)}, indent=1)


def success(data: dict) -> dict:
    status = {"CLI Version": "007.1616.0000.0000 Dec 24, 2020", "Controller": 0, "Status": "Success"}
    return {"Command Status": {**status, "Description": "None"}, "Response Data": data}


def done(what: str, number: int, name: str) -> dict:
    """What something that was set is answered with: no data."""
    detail = {what: number, "Property": name, "Status": "Success", "ErrCd": 0, "ErrMsg": "-"}
    status = {"Controller": 0, "Status": "Success", "Description": "None", "Detailed Status": [detail]}
    return {"Command Status": status}


def refusing(controller: int, reason: str) -> dict:
    return {"Command Status": {"Controller": controller, "Status": "Failure", "Description": reason}}


def plain(reason: str) -> str:
    """What a release does not know is answered as text, whatever was asked for."""
    return f"\nCLI Version = 007.1616.0000.0000 Dec 24, 2020\nStatus = Failure\nDescription = {reason}\n"


# MegaCli: text.

BAD_BBU = {True: "Write Cache OK if Bad BBU", False: "No Write Cache if Bad BBU"}
READ = {"NORA": "ReadAheadNone", "RA": "ReadAhead", "ReadAdaptive": "ReadAdaptive"}
SET = {"WB": "WriteBack", "WT": "WriteThrough", "NORA": "NORA", "RA": "RA", "ADRA": "ReadAdaptive"}
SET |= {"-Direct": "Direct", "-Cached": "Cached"}
DONE = "on Adapter 0, VD 1 (target id: 1) success\n\nExit Code: 0x00"


def megacli(words: list[str], state: dict) -> tuple[str, int]:
    assert words[-1] == "-NoLog", words
    if bgi := re.fullmatch(r"-AdpSetProp BgiRate -(\d+) -a0 -NoLog", " ".join(words)):
        state["bgi"] = int(bgi[1])
        return f"\nAdapter 0: Set BGI Rate to {bgi[1]}% success.\n\nExit Code: 0x00", 0
    match words[:-1]:
        case ["-AdpGetPciInfo", "-aALL"]:
            return (
                "\nPCI information for Controller 0\n--------------------------------\n"
                "Bus Number      : 3\nDevice Number   : 0\nFunction Number : 0\n\nExit Code: 0x00"
            ), 0
        case ["-LDInfo", "-LALL", "-aALL"] | ["-LDInfo", "-L1", "-a0"]:
            tail = f"{READ[state['read']]}, {state['io']}, {BAD_BBU[state['bad_bbu']]}"
            current = state["write"] if state["bad_bbu"] else in_force(state)
            return (
                "\n\nAdapter 0 -- Virtual Drive Information:\nVirtual Drive: 1 (Target Id: 1)\n"
                "Name                :data\n"
                "RAID Level          : Primary-1, Secondary-0, RAID Level Qualifier-0\n"
                "Size                : 2.180 TB\nSector Size         : 512\nIs VD emulated      : No\n"
                "Mirror Data         : 2.180 TB\nState               : Optimal\n"
                "Strip Size          : 256 KB\n"
                "Number Of Drives per span:2\nSpan Depth          : 2\n"
                f"Default Cache Policy: {state['write']}, {tail}\n"
                f"Current Cache Policy: {current}, {tail}\n"
                "Default Access Policy: Read/Write\nCurrent Access Policy: Read/Write\n"
                "Disk Cache Policy   : Disabled\nEncryption Type     : None\nIs VD Cached: No\n\n\n"
                "\nExit Code: 0x00"
            ), 0
        case ["-AdpAllInfo", "-aALL"]:
            return (
                "\nAdapter #0\n\n" + "=" * 78 + "\n"
                "                    Versions\n                ================\n"
                "Product Name    : LSI MegaRAID SAS 9260-8i\nSerial No       : SV00000000\n"
                "FW Package Build: 12.15.0-0239\n\n"
                "                Image Versions in Flash:\n                ================\n"
                "FW Version         : 2.130.403-4660\nBIOS Version       : 3.30.02.2_4.16.08.00\n\n"
                "                HW Configuration\n                ================\n"
                "BBU              : Present\nMemory Size      : 512MB\n\n"
                "                Settings\n                ================\n"
                f"BGI Rate                         : {state['bgi']}%\n\nExit Code: 0x00"
            ), 0
        case ["-AdpBbuCmd", "-GetBbuStatus", "-a0"] if state["battery"]:
            return (
                "\nBBU status for Adapter: 0\n\nBatteryType: iBBU\nVoltage: 4026 mV\n"
                "Battery State     : Operational\n\nBBU Firmware Status:\n\n"
                "  Charging Status              : None\n  Battery Replacement required : No\n\n"
                "Exit Code: 0x00"
            ), 0
        case ["-AdpBbuCmd", "-GetBbuStatus", "-a0"]:
            return (
                "\nAdapter 0: Get BBU Status Failed.\n\nFW error description: \n"
                "  The required hardware component is not present.  \n\nExit Code: 0x22"
            ), 0x22
        case ["-AdpGetProp", "BgiRate", "-a0"]:
            return f"\nAdapter 0: BGI Rate = {state['bgi']}%\n\nExit Code: 0x00", 0
        case ["-LDSetProp", "CachedBadBBU" | "NoCachedBadBBU" as word, "-L1", "-a0"]:
            state["bad_bbu"] = word == "CachedBadBBU"
            return f"\nSet {BAD_BBU[state['bad_bbu']]} {DONE}", 0
        case ["-LDSetProp", word, "-L1", "-a0"]:
            kind = "write" if word in ("WB", "WT") else "io" if word[0] == "-" else "read"
            state[kind] = SET[word]
            return f"\nSet {kind.title()} Policy to {READ.get(SET[word], SET[word])} {DONE}", 0
    return f"\nInvalid input at or near token {words}\n\nExit Code: 0x01", 1


if __name__ == "__main__":
    sys.exit(main())
