"""MariaDB. Facts: the server's own `--verbose --help` and the MariaDB knowledge base."""

from __future__ import annotations

from assay.server.flavour.entry import Bootstrap, Flavour, InstallScript, Preset, Renamed

SCRIPTS = ("mariadb-install-db", "mysql_install_db")

FLAVOUR = Flavour(
    name="mariadb",
    title="MariaDB",
    binaries=("mariadbd", "mysqld"),
    ways=(
        InstallScript(
            scripts=SCRIPTS,
            options=("--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve"),
            since=(10, 4),
        ),
        InstallScript(scripts=SCRIPTS, options=("--skip-name-resolve",), until=(10, 4)),
        Bootstrap(
            files=(
                "mysql_system_tables.sql",
                "mysql_performance_tables.sql",
                "mysql_system_tables_data.sql",
                "fill_help_tables.sql",
            ),
        ),
    ),
    how_to_get="Debian and Ubuntu: apt-get install mariadb-server-core (the server alone, no service)",
    presets=(
        Preset(
            name="skip_name_resolve", value="ON", why="no name service between a connection and its login"
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
        Renamed(old="tx_isolation", new="transaction_isolation", since=(11, 1)),
        Renamed(old="tx_read_only", new="transaction_read_only", since=(11, 1)),
        Renamed(old="innodb_buffer_pool_instances", new=None, since=(10, 6), note="there is one buffer pool"),
        Renamed(old="innodb_page_cleaners", new=None, since=(10, 6), note="there is one page cleaner"),
        Renamed(old="innodb_thread_concurrency", new=None, since=(10, 6)),
        Renamed(old="innodb_file_format", new=None, since=(10, 6)),
        Renamed(old="innodb_log_files_in_group", new=None, since=(10, 6), note="there is one redo log file"),
        Renamed(old="innodb_redo_log_capacity", new="innodb_log_file_size", since=(), note="MySQL's name"),
        Renamed(old="binlog_transaction_dependency_tracking", new=None, since=(), note="MySQL only"),
        Renamed(old="innodb_dedicated_server", new=None, since=(), note="MySQL only"),
    ),
    signals={
        "history_list": "Innodb_history_list_length",
        "dirty_pages": "Innodb_buffer_pool_pages_dirty",
        "checkpoint_age_bytes": "Innodb_checkpoint_age",
    },
)
