"""Prose, settings, claims and facts against the tables beside them: a fault is found, its clean twin is
not."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.results.audit import Audit, audit

RESULT = "study,table,workload,metric,unit,threads,param,value,result\n"
PROSE = "study,source_line,quantity,value,unit,condition\n"
HOST = "host,attribute,value\n"
SERVERS = "server,section,variable,value,active\n"
OPTIONS = "job,option,value\n"
FIGURES = "job,metric,unit,result\n"
CLAIM = "claim,study,source_line,kind,hypothesis,scope,threshold_origin\n"


def _ladder(level: str, values: list[str], metric: str = "tps", param: str = "cache") -> str:
    rungs = (8, 16, 32, 64, 128, 256, 512)
    return "".join(
        f"s,t,oltp,{metric},1/s,{n},{param},{level},{value}\n" for n, value in zip(rungs, values, strict=True)
    )


ONE = ["1001", "1903", "3502", "5207", "5302", "5105", "4906"]
TWO = ["905", "1804", "3301", "5001", "5108", "4903", "4707"]
TABLE = RESULT + _ladder("all", ONE) + _ladder("none", TWO)

ROWS: list[tuple[str, str, dict[str, str], dict[str, str]]] = [
    # rule, what must be in the finding, faulty files, clean files
    (
        "prose-arithmetic",
        "125829",
        {"p.csv": PROSE + "s,1,undo,123 x 1023 (128k),,\n"},
        {"p.csv": PROSE + "s,1,undo,128 x 1023 (128k),,\n"},
    ),
    (
        "prose-arithmetic",
        "81.2 %",
        {"p.csv": PROSE + "s,4,fill_target,85,% of 394GB,\ns,4,fill_bytes,320,GB,64 files x 5GB\n"},
        {"p.csv": PROSE + "s,4,fill_target,81,% of 394GB,\ns,4,fill_bytes,320,GB,64 files x 5GB\n"},
    ),
    (
        "prose-arithmetic",
        "51 %",
        {
            "p.csv": PROSE + "s,1,b_below_a,22,%,\ns,1,c_below_b,37,%,\ns,1,c_below_a,68,%,\n"
            "s,1,a_minus_b,5500,ops/s,\ns,1,a_minus_c,12700,ops/s,\n"
        },
        {
            "p.csv": PROSE + "s,1,b_below_a,22,%,\ns,1,c_below_b,37,%,\ns,1,c_below_a,51,%,\n"
            "s,1,a_minus_b,5500,ops/s,\ns,1,a_minus_c,12700,ops/s,\n"
        },
    ),
    (
        "prose-arithmetic",
        "857",
        {"p.csv": PROSE + "s,1,qps_on,12000,1/s,\ns,1,qps_off,14,1/s,\ns,1,qps_ratio,1000,x,\n"},
        {"p.csv": PROSE + "s,1,qps_on,12000,1/s,\ns,1,qps_off,14,1/s,\ns,1,qps_ratio,860,x,\n"},
    ),
    (
        "prose-arithmetic",
        "85%",
        {"space.csv": "level,share\nr0,100%\nr0+15%OP,75%\n"},
        {"space.csv": "level,share\nr0,100%\nr0+15%OP,85%\n"},
    ),
    (
        "prose-figures",
        "5302",
        {"t.csv": TABLE, "p.csv": PROSE + 's,1,tps,4100,1/s,"cache=all, more than 64 threads"\n'},
        {"t.csv": TABLE, "p.csv": PROSE + 's,1,tps,5100,1/s,"cache=all, more than 64 threads"\n'},
    ),
    (
        "claims",
        "does not hold",
        {"t.csv": TABLE, "c.csv": CLAIM + "H1,s,1,order,tps(cache=all) < tps(cache=none),,source\n"},
        {"t.csv": TABLE, "c.csv": CLAIM + "H1,s,1,order,tps(cache=all) > tps(cache=none),,source\n"},
    ),
    (
        "claims",
        "it falls from 256",
        {
            "t.csv": RESULT + _ladder("all", [*ONE[:5], "4001", "3102"]),
            "c.csv": CLAIM + "H1,s,1,knee,tps(cache=all) starts to collapse at 128 threads,,source\n",
        },
        {
            "t.csv": RESULT + _ladder("all", [*ONE[:5], "4001", "3102"]),
            "c.csv": CLAIM + "H1,s,1,knee,tps(cache=all) starts to collapse at 256 threads,,source\n",
        },
    ),
    (
        "claims",
        "",
        {"t.csv": TABLE, "c.csv": CLAIM + 'H1,s,1,argmax,"argmax over {all,none} = all",,source\n'},
        {},
    ),
    (
        "comments",
        "says 4k",
        {"j.csv": OPTIONS + "a_1M,bs,1M\na_1M,comment: block_size,4k\n"},
        {"j.csv": OPTIONS + "a_1M,bs,1M\na_1M,comment: block_size,1M\n"},
    ),
    (
        "comments",
        "rw=randread",
        {"j.csv": 'job,option,value\na,rw,randread\na,stated purpose,"bandwidth, sequential"\n'},
        {"j.csv": 'job,option,value\na,rw,read\na,stated purpose,"bandwidth, sequential"\n'},
    ),
    (
        "levels",
        "6000",
        {
            "t.csv": RESULT + "".join(_ladder(x, ONE, param="io") for x in ("500", "1000", "6000")),
            "d.csv": "study,param,order,value\ns,io,1,500\ns,io,2,1000\n",
        },
        {
            "t.csv": TABLE.replace("cache,all", "io,500").replace("cache,none", "io,1000"),
            "d.csv": "study,param,order,value\ns,io,1,500\ns,io,2,1000\n",
        },
    ),
    (
        "levels",
        "none of the levels",
        {
            "d.csv": "study,param,order,value\ns,x,1,1\ns,x,2,2\n",
            "r.csv": "study,param,recommended\ns,x,1\n",
            "h.csv": "study,param,action,command\ns,x,set,echo 0 > /sys/x\n",
        },
        {
            "d.csv": "study,param,order,value\ns,x,1,1\ns,x,2,2\n",
            "r.csv": "study,param,recommended\ns,x,1\n",
            "h.csv": "study,param,action,command\ns,x,set,echo 1 > /sys/x\n",
        },
    ),
    (
        "facts",
        "5.1.53",
        {"e.csv": HOST + "h,servers_a,A 5.1.53\nh,servers_b,A 5.1.54\n"},
        {"e.csv": HOST + "h,servers_a,A 5.1.54\nh,servers_b,A 5.1.54\n"},
    ),
    (
        "processors",
        "32 would be 2",
        {"e.csv": HOST + "h,cpu,1x Intel Xeon E5-2690 @ 2.9GHz\nh,cores_stated,32\n"},
        {"e.csv": HOST + "h,cpu,2x Intel Xeon E5-2690 @ 2.9GHz\nh,cores_stated,32\n"},
    ),
    (
        "processors",
        "sockets x cores",
        {"e.csv": HOST + "h,sockets,2\nh,cores_per_socket,14\nh,threads_per_core,2\nh,logical_threads,48\n"},
        {"e.csv": HOST + "h,sockets,2\nh,cores_per_socket,14\nh,threads_per_core,2\nh,logical_threads,56\n"},
    ),
    (
        "settings",
        "innodb_io_capacity is 2700",
        {
            "s.csv": SERVERS + "A,mysqld,innodb_io_capacity,2700,yes\nA,mysqld,innodb_doublewrite,0,yes\n"
            "B,mysqld,innodb_doublewrite,no,yes\n",
            "r.csv": "study,server,metric,unit,result\ns,A,tpmc,1/min,900\ns,B,tpmc,1/min,800\n",
        },
        {
            "s.csv": SERVERS + "A,mysqld,innodb_io_capacity,2700,yes\nB,mysqld,innodb_io_capacity,2700,yes\n",
            "r.csv": "study,server,metric,unit,result\ns,A,tpmc,1/min,900\ns,B,tpmc,1/min,800\n",
        },
    ),
    (
        "undeclared",
        "unspecified",
        {"t.csv": "study,workload,metric,unit,threads,result\ns,unspecified,tps,1/s,,800\n"},
        {"t.csv": "study,workload,metric,unit,threads,result\ns,oltp,tps,1/s,8,800\n"},
    ),
    (
        "block-size",
        "MiB/s",
        {
            "t.csv": RESULT
            + "".join(
                f"s,t,rndrd,{m},{u},{n},block_size,16k,{v}\n"
                for n, i in ((1, 337), (16, 2668), (32, 3912), (64, 3939))
                for m, u, v in (("iops", "1/s", i), ("throughput", "Mb/s", f"{i / 64:.2f}"))
            )
        },
        {
            "t.csv": RESULT
            + "".join(
                f"s,t,rndrd,{m},{u},{n},block_size,16k,{v}\n"
                for n, i in ((1, 337), (16, 2668), (32, 3912), (64, 3939))
                for m, u, v in (("iops", "1/s", i), ("throughput", "MiB/s", f"{i / 64:.2f}"))
            )
        },
    ),
    (
        "whole-and-parts",
        "2605",
        {"t.csv": FIGURES + "a,read_iops,1/s,1296\na,write_iops,1/s,1309\na,iops_total,1/s,2705\n"},
        {"t.csv": FIGURES + "a,read_iops,1/s,1296\na,write_iops,1/s,1309\na,iops_total,1/s,2605\n"},
    ),
]


def _audit(folder: Path, files: dict[str, str]) -> Audit:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return audit([folder / name for name in files])


@pytest.mark.parametrize(
    ("rule", "said", "faulty", "clean"), ROWS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_fault_in_words_is_found_and_its_clean_twin_is_not(
    rule: str, said: str, faulty: dict[str, str], clean: dict[str, str], tmp_path: Path
) -> None:
    found = [one for one in _audit(tmp_path / "faulty", faulty).findings if one.rule == rule]
    notes = [one for one in _audit(tmp_path / "noted", faulty).notes if one.rule == rule]
    if clean:
        assert any(said in f"{one.sign} {one.expected} {one.second_sign} {one.printed}" for one in found), (
            notes
        )
        assert [one.sign for one in _audit(tmp_path / "clean", clean).findings] == []
    else:
        assert found == []  # the claim is true


def test_every_finding_has_a_second_sign_and_no_note_has_one(tmp_path: Path) -> None:
    for number, (_, _, faulty, _) in enumerate(ROWS):
        found = _audit(tmp_path / str(number), faulty)
        assert all(one.second_sign for one in found.findings)
        assert not any(one.second_sign for one in found.notes)
