"""Server variables whose consequences are known, by kind, for both flavours.

A variable that is on no list is *not known*: it may shape files, cost commits or change results, and whoever
asks takes it so. Sources: MySQL 5.5 to 9 reference manuals, "Server System Variables" and "InnoDB Startup
Options and System Variables"; MariaDB, "Server System Variables" and the pages of its engines.
"""

from __future__ import annotations

from typing import Literal

from assay.design.study.option_names import variable_name, variable_set

VariableKind = Literal[
    "speed", "notice", "limit", "access", "crash", "meaning", "replication", "layout", "not-known"
]
"""What a variable changes: how fast the server works and with how much memory; what it writes down about its
work; how long and how much it allows; who may connect or write; what a crash costs; what statements and
transactions mean, without a trace in stored rows; the binary log and replicas; the form of stored rows and
files.
"""

RULED_FLAVOURS = frozenset(("mysql", "mariadb", "percona", "fork"))
"""Flavours that mean by a variable what the manuals say. Of others nothing follows from a variable."""

_SPEED = """
innodb_buffer_pool_size innodb_buffer_pool_size_max innodb_buffer_pool_size_auto_min
innodb_buffer_pool_instances innodb_buffer_pool_chunk_size innodb_buffer_pool_populate
innodb_buffer_pool_filename innodb_additional_mem_pool_size innodb_use_sys_malloc innodb_numa_interleave
innodb_log_buffer_size innodb_log_file_size innodb_redo_log_capacity innodb_log_writer_threads
innodb_log_wait_for_flush_spin_hwm innodb_log_write_ahead_size innodb_log_file_buffering
innodb_log_file_mmap innodb_log_file_write_through innodb_data_file_buffering innodb_data_file_write_through
innodb_io_capacity innodb_io_capacity_max innodb_read_io_threads innodb_write_io_threads
innodb_file_io_threads innodb_use_native_aio innodb_linux_aio innodb_page_cleaners innodb_lru_scan_depth
innodb_lru_flush_size innodb_flush_neighbors innodb_flush_neighbor_pages innodb_flush_sync
innodb_flushing_avg_loops innodb_fsync_threshold innodb_adaptive_flushing innodb_adaptive_flushing_lwm
innodb_adaptive_flushing_method innodb_idle_flush_pct innodb_max_dirty_pages_pct
innodb_max_dirty_pages_pct_lwm innodb_cleaner_lsn_age_factor innodb_empty_free_list_algorithm
innodb_read_ahead innodb_read_ahead_threshold innodb_random_read_ahead innodb_old_blocks_pct
innodb_old_blocks_time innodb_adaptive_hash_index innodb_adaptive_hash_index_parts
innodb_adaptive_hash_index_partitions innodb_change_buffering innodb_change_buffer_max_size
innodb_doublewrite_batch_size innodb_doublewrite_files innodb_doublewrite_pages innodb_thread_concurrency
innodb_thread_concurrency_timer_based innodb_thread_sleep_delay innodb_adaptive_max_sleep_delay
innodb_concurrency_tickets innodb_commit_concurrency innodb_spin_wait_delay
innodb_spin_wait_pause_multiplier innodb_sync_spin_loops innodb_sync_array_size innodb_purge_threads
innodb_purge_batch_size innodb_purge_rseg_truncate_frequency innodb_max_purge_lag innodb_max_purge_lag_delay
innodb_max_purge_lag_wait innodb_use_mtflush innodb_mtflush_threads innodb_open_files
innodb_parallel_read_threads innodb_disable_sort_file_cache innodb_lock_schedule_algorithm
innodb_prefix_index_cluster_optimization thread_cache_size thread_handling thread_stack thread_concurrency
back_log table_cache table_open_cache table_open_cache_instances table_definition_cache
tablespace_definition_cache stored_program_cache stored_program_definition_cache schema_definition_cache
host_cache_size metadata_locks_cache_size metadata_locks_hash_instances metadata_locks_instances
open_files_limit key_buffer_size query_cache_type query_cache_size query_cache_limit
query_cache_min_res_unit query_cache_strip_comments sort_buffer_size join_buffer_size
join_buffer_space_limit join_cache_level mrr_buffer_size read_buffer_size read_rnd_buffer_size
preload_buffer_size bulk_insert_buffer_size tmp_table_size tmp_memory_table_size temptable_max_ram
temptable_max_mmap temptable_use_mmap internal_tmp_mem_storage_engine internal_tmp_disk_storage_engine
big_tables max_length_for_sort_data max_seeks_for_key eq_range_index_dive_limit range_alloc_block_size
range_optimizer_max_mem_size query_alloc_block_size query_prealloc_size transaction_alloc_block_size
transaction_prealloc_size in_predicate_conversion_threshold use_stat_tables net_buffer_length large_pages
super_large_pages memlock locked_in_memory skip_name_resolve skip_external_locking concurrent_insert
low_priority_updates max_write_lock_count binlog_cache_size binlog_stmt_cache_size binlog_file_cache_size
max_binlog_cache_size max_binlog_stmt_cache_size binlog_group_commit_sync_delay
binlog_group_commit_sync_no_delay_count binlog_commit_wait_count binlog_commit_wait_usec
myisam_sort_buffer_size myisam_use_mmap myisam_mmap_size aria_pagecache_buffer_size
aria_pagecache_division_limit aria_pagecache_age_threshold aria_pagecache_file_hash_size
aria_sort_buffer_size rocksdb_block_cache_size rocksdb_use_direct_reads
"""
_NOTICE = """
performance_schema general_log general_log_file slow_query_log slow_query_log_file long_query_time
min_examined_row_limit log log_output log_queries_not_using_indexes log_throttle_queries_not_using_indexes
log_short_format log_error_verbosity log_error_services log_error_suppression_list log_warnings
log_timestamps log_slow_queries userstat thread_statistics innodb_status_output innodb_status_output_locks
innodb_print_all_deadlocks innodb_print_lock_wait_timeout_info innodb_instrument_semaphores
innodb_cmp_per_index_enabled profiling profiling_history_size core_file innodb_buffer_pool_in_core_file
innodb_buffer_pool_in_core_dump stack_trace max_error_count max_digest_length
"""
_LIMIT = """
max_connections max_user_connections extra_max_connections max_connect_errors max_allowed_packet
connect_timeout wait_timeout interactive_timeout net_read_timeout net_write_timeout net_retry_count
idle_transaction_timeout idle_readonly_transaction_timeout idle_write_transaction_timeout lock_wait_timeout
innodb_lock_wait_timeout innodb_deadlock_detect max_statement_time max_execution_time
max_prepared_stmt_count max_delayed_threads max_session_mem_used connection_memory_limit
global_connection_memory_limit connection_memory_chunk_size max_password_errors table_lock_wait_timeout
innodb_fatal_semaphore_wait_threshold
"""
_ACCESS = """
read_only super_read_only offline_mode innodb_read_only transaction_read_only tx_read_only init_connect
skip_networking bind_address skip_show_database require_secure_transport skip_grant_tables ssl have_ssl
secure_auth mysqlx proxy_protocol_networks disconnect_on_expired_password sql_safe_updates
"""
_CRASH = """
innodb_flush_log_at_trx_commit innodb_flush_log_at_timeout innodb_flush_method innodb_doublewrite
innodb_support_xa rocksdb_flush_log_at_trx_commit sync_binlog sync_frm sync_master_info sync_source_info
sync_relay_log sync_relay_log_info delay_key_write flush flush_time aria_group_commit
aria_group_commit_interval aria_checkpoint_interval aria_checkpoint_log_activity innodb_force_recovery
innodb_force_load_corrupted innodb_fast_shutdown innodb_log_compressed_pages relay_log_recovery
myisam_recover_options aria_recover_options
"""
_MEANING = """
autocommit completion_type transaction_isolation tx_isolation innodb_snapshot_isolation
innodb_rollback_on_timeout innodb_table_locks innodb_locks_unsafe_for_binlog sql_select_limit max_join_size
sql_big_selects query_cache_wlock_invalidate
"""
_REPLICATION = """
log_bin log_bin_index sql_log_bin server_id report_host report_port report_user report_password
enforce_gtid_consistency expire_logs_days max_binlog_size max_relay_log_size log_slave_updates
log_replica_updates master_verify_checksum source_verify_checksum master_info_repository skip_slave_start
skip_replica_start transaction_write_set_extraction encrypt_binlog log_bin_trust_function_creators
log_bin_use_v1_row_events relay_log
"""
_LAYOUT = """
innodb_page_size innodb_fill_factor innodb_file_per_table innodb_file_format innodb_file_format_max
innodb_large_prefix innodb_data_file_path innodb_autoextend_increment innodb_default_row_format
innodb_compression_algorithm innodb_compression_default innodb_compression_level
innodb_compression_failure_threshold_pct innodb_compression_pad_pct_max innodb_log_files_in_group
innodb_log_block_size innodb_rollback_segments innodb_undo_logs innodb_undo_tablespaces
innodb_undo_log_truncate innodb_max_undo_log_size innodb_stats_persistent
innodb_stats_persistent_sample_pages innodb_stats_transient_sample_pages innodb_stats_auto_recalc
innodb_stats_method innodb_stats_on_metadata innodb_sort_buffer_size innodb_ddl_buffer_size
innodb_ddl_threads aria_block_size rocksdb_default_cf_options rocksdb_override_cf_options
lower_case_table_names
"""

_BY_KIND: dict[VariableKind, str] = {
    "speed": _SPEED,
    "notice": _NOTICE,
    "limit": _LIMIT,
    "access": _ACCESS,
    "crash": _CRASH,
    "meaning": _MEANING,
    "replication": _REPLICATION,
    "layout": _LAYOUT,
}
_KINDS: dict[str, VariableKind] = {name: kind for kind, text in _BY_KIND.items() for name in text.split()}
# Families of which every member, in every version, is of one kind.
_FAMILIES: tuple[tuple[str, VariableKind], ...] = (
    ("performance_schema_", "notice"),
    ("log_slow_", "notice"),
    ("slow_query_log_", "notice"),
    ("innodb_monitor_", "notice"),
    ("optimizer_", "speed"),
    ("thread_pool_", "speed"),
    ("key_cache_", "speed"),
    ("innodb_buffer_pool_load_", "speed"),
    ("innodb_buffer_pool_dump_", "speed"),
    ("innodb_log_spin_", "speed"),
    ("ssl_", "access"),
    ("tls_", "access"),
    ("admin_", "access"),
    ("mysqlx_", "access"),
    ("binlog_", "replication"),
    ("relay_log_", "replication"),
    ("replica_", "replication"),
    ("slave_", "replication"),
    ("rpl_", "replication"),
    ("gtid_", "replication"),
)


def variable_kind(option: str) -> VariableKind:
    """Returns what the variable of an option changes; `not-known` for one that is on no list."""
    for name in (variable_name(option), variable_set(option, True)[0]):
        if name in _KINDS:
            return _KINDS[name]
        for family, kind in _FAMILIES:
            if name.startswith(family):
                return kind
    return "not-known"


def shapes_files(option: str) -> bool:
    """Returns whether the variable of an option may shape the rows or files that a load leaves: true unless
    it is known not to.
    """
    return variable_kind(option) in ("layout", "not-known")
