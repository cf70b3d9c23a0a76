"""Servers that speak MySQL's protocol, or were made from its source, and are neither MySQL nor MariaDB.

Nothing is known of them but their names: no variable means here what it means there, nothing is assumed that
nobody read. Facts: what each says to SELECT VERSION(), @@version_comment and SHOW GLOBAL VARIABLES, from its
documentation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from assay.system.server.flavour.entry import Flavour

UNKNOWN = Flavour(name="not-known", title="a server of an unknown kind", binaries=(), ways=(), how_to_get="")
"""A server that says nothing by which anybody could know it."""


_MANAGED = "rdsdbbin"
"""The directory of Amazon's binaries, which have no other mark."""


@dataclass(frozen=True)
class Relative:
    """A kind of server: `said` is a pattern in its version or comment, `has` begins the name
    of a variable that no other kind has.
    """

    name: str
    title: str
    said: str
    has: str = ""

    @property
    def flavour(self) -> Flavour:
        return Flavour(name=self.name, title=self.title, binaries=(), ways=(), how_to_get="")


RELATIVES: tuple[Relative, ...] = (
    Relative("tidb", "TiDB", r"\btidb\b", "tidb_"),
    Relative("oceanbase", "OceanBase", r"oceanbase", "ob_compatibility_"),
    Relative("aurora", "Amazon Aurora", r"\baurora\b", "aurora_"),
    Relative("polardb", "PolarDB", r"polardb", "polar"),
    Relative("singlestore", "SingleStore", r"singlestore|memsql", "memsql_"),
    Relative("starrocks", "StarRocks", r"starrocks"),
    Relative("doris", "Apache Doris", r"\bdoris\b"),
    Relative("clickhouse", "ClickHouse", r"clickhouse"),
    Relative("vitess", "Vitess", r"vitess|planetscale"),
    Relative("dolt", "Dolt", r"\bdolt\b", "dolt_"),
    Relative("databend", "Databend", r"databend"),
    Relative("greptimedb", "GreptimeDB", r"greptime"),
    Relative("risingwave", "RisingWave", r"risingwave"),
    Relative("manticore", "Manticore Search", r"manticore"),
    Relative("xpand", "MariaDB Xpand", r"\bxpand\b|clustrix"),
    Relative("heatwave", "MySQL HeatWave", r"-cloud\b|heatwave", "rapid_"),
    Relative("proxysql", "ProxySQL", r"proxysql", "mysql-monitor_"),
    Relative("maxscale", "MaxScale", r"maxscale"),
    Relative("rds", "Amazon RDS", r"\brds\b", "rds_"),
    Relative("cloudsql", "Google Cloud SQL", r"-google\b|\(google\)|cloudsql", "cloudsql_"),
    Relative("azure", "Azure Database", r"\bazure\b", "azure_"),
    Relative("tdsql", "Tencent's MySQL", r"txsql|tdsql|cynos|tencent", "txsql_"),
    Relative("taurusdb", "Huawei's MySQL", r"taurus|gaussdb|huawei"),
    Relative("pxc", "Percona XtraDB Cluster", r"percona xtradb cluster"),
    Relative("fb", "Facebook's MySQL", r"-fb\b|facebook|-rocksdb\b"),
    Relative("webscalesql", "WebScaleSQL", r"webscalesql"),
    Relative("drizzle", "Drizzle", r"drizzle"),
    Relative("greatsql", "GreatSQL", r"greatsql"),
    Relative("alisql", "AliSQL", r"alisql"),
    Relative("stonedb", "StoneDB", r"stonedb|tianmu"),
    Relative("infobright", "Infobright", r"infobright|brighthouse"),
    Relative("galera", "a Galera cluster of MySQL", r"wsrep|codership", "wsrep_"),
)


def relative_of(said: str, variables: Mapping[str, str]) -> Flavour | None:
    """Returns the kind that a server's words or variables name; None when they name none."""
    if _MANAGED in variables.get("basedir", ""):
        return next(one.flavour for one in RELATIVES if one.name == "rds")
    for one in RELATIVES:
        if re.search(one.said, said, re.IGNORECASE) or (
            one.has and any(name.startswith(one.has) for name in variables)
        ):
            return one.flavour
    return None
