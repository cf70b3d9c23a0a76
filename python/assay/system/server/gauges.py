"""Tells status variables that are gauges (a current level) from counters (since the start); most are
counters.

Source: the status-variable pages of the MySQL and MariaDB manuals.
"""

from __future__ import annotations

import re

_GAUGES = re.compile(
    r"""
      Threads_(?:connected|running|cached)
    | Max_used_connections | Max_statement_time_exceeded_max
    | Open_(?:files|streams|tables|table_definitions)
    | Prepared_stmt_count | Not_flushed_delayed_rows | Delayed_insert_threads
    | Memory_used(?:_initial)? | Key_blocks_(?:not_flushed|unused|used|warm)
    | Qcache_(?:free_blocks|free_memory|queries_in_cache|total_blocks)
    | Aria_pagecache_blocks_(?:not_flushed|unused|used)
    | Rows_(?:sent|read)_max | Uptime_since_flush_status_max
    | Busy_time_max | Last_query_cost | Last_query_partial_plans
    | Master_gtid_wait_.*timeouts_now
    | Threadpool_(?:idle_threads|threads)
    | Tc_log_(?:max_pages_used|page_size)
    | Acl_.* | Subquery_cache_size
    | Binlog_snapshot_position
    | Innodb_buffer_pool_(?:pages_(?:data|dirty|free|misc|total|old|lru.*|latched)|bytes_(?:data|dirty))
    | Innodb_buffer_pool_load_incomplete
    | Innodb_buffer_pool_resize_status_(?:code|progress)
    | Innodb_checkpoint_(?:age|max_age|target_age)
    | Innodb_history_list_length | Innodb_page_size | Innodb_mem_.*
    | Innodb_ibuf_(?:size|free_list|segment_size)
    | Innodb_.*_current_waits | Innodb_row_lock_time_(?:avg|max) | Innodb_current_row_locks
    | Innodb_(?:data_pending|os_log_pending)_.* | Innodb_num_open_files | Innodb_open_files
    | Innodb_adaptive_hash_(?:cells|heap_buffers|non_hash_searches_now)
    | Innodb_redo_log_(?:physical_size|logical_size|capacity_resized|read_only|resize_status|enabled)
    | Innodb_undo_tablespaces_.* | Innodb_(?:max|oldest_view_low_limit)_trx_id
    | Innodb_(?:descriptors|read_views)_memory | Innodb_bitmap_buffer_pool_pages
    | Innodb_encryption_rotation_estimated_iops | Innodb_defragment_.*_pct
    | Innodb_available_undo_logs | Innodb_segment_size
    # INNODB_METRICS that the server types as counters, though they go down too
    | os_pending_(?:reads|writes) | ibuf_size | buffer_pool_(?:pages|bytes|size).*
    | lock_row_lock_.*(?:max|avg)
    """,
    re.VERBOSE,
)


def is_gauge(name: str) -> bool:
    """Returns True for a current level, False for a cumulative count. `name` is spelled as the server writes
    it.
    """
    return _GAUGES.fullmatch(name) is not None
