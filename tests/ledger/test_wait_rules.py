"""The rules that say what a waiting thread's call stack waits for."""

# ruff: noqa: E501 (one row a case)

from __future__ import annotations

import pytest
from assay.results.ledger.waits.rules import WaitClass, groups, rules_of


@pytest.mark.parametrize(
    ("flavour", "stack", "expected"),
    [
        ("mariadb", "schedule do_futex syscall [mariadbd] handler::ha_update_row start_thread", "latches"),
        ("mariadb", "schedule do_futex syscall srw_mutex_impl buf_page_get_gen start_thread", "latches"),
        (
            "mariadb",
            "schedule do_futex pthread_cond_wait Query_cache::lock send_result start_thread",
            "latches",
        ),
        (
            "mysql",
            "do_futex pthread_cond_wait os_event::wait lock_wait_suspend_thread row_search_mvcc start_thread",
            "row-locks",
        ),
        (
            "mysql",
            "do_futex sync_array_wait_event rw_lock_s_lock_spin handler::ha_rnd_next start_thread",
            "latches",
        ),
        ("mysql", "schedule hrtimer_nanosleep log_free_check start_thread", "redo-space"),
        ("mysql", "schedule hrtimer_nanosleep Item_func_sleep::val_int do_command start_thread", "sleep"),
        ("mysql", "schedule futex_wait MDL_wait::timed_wait open_table start_thread", "table-locks"),
        ("mysql", "schedule do_fsync dd_create_table start_thread", "other-io"),
        ("percona", "schedule something_new some_function start_thread", "other-waits"),
        ("mariadb", "schedule do_futex", None),
        ("mariadb", "do_futex MDL_wait::timed_wait Item_func_get_lock::val_int start_thread", "table-locks"),
        ("mariadb", "schedule do_fsync", "commit"),
        ("mysql", "schedule io_schedule do_fsync fdatasync [mysqld] [unknown]", "commit"),
        ("mysql", "schedule io_schedule filemap_wait", "other-io"),
        ("mariadb", "do_futex pthread_cond_wait do_handle_one_connection start_thread", "client"),
        (
            "mariadb",
            "do_futex pthread_cond_wait MDL_wait::timed_wait do_handle_one_connection start_thread",
            "table-locks",
        ),
        ("mariadb", "schedule do_sys_poll", "client"),
        (
            "mariadb",
            "do_sys_poll poll __res_context_send getaddrinfo ip_to_hostname do_command",
            "name-lookup",
        ),
        (
            "mariadb",
            "do_futex pthread_cond_timedwait [m] handler::update_auto_increment start_thread",
            "row-locks",
        ),
        (
            "mariadb",
            "hrtimer_nanosleep clock_nanosleep [m] handler::ha_update_row start_thread",
            "redo-space",
        ),
        ("mariadb", "do_futex pthread_cond_wait [m] handler::ha_update_row start_thread", "redo-space"),
        ("mariadb", "do_futex pthread_cond_wait [m] handler::ha_index_read_map start_thread", "free-pages"),
        (
            "mariadb",
            "hrtimer_nanosleep Item_func_sleep::val_int [m] handler::ha_update_row start_thread",
            "sleep",
        ),
        ("mariadb", "do_select __x64_sys_select select my_sleep do_command start_thread", "sleep"),
        (
            "mariadb",
            "vfs_write __x64_sys_pwrite64 pwrite my_b_flush filesort start_thread",
            "temporary-files",
        ),
        (
            "mariadb",
            "schedule shrink_lruvec try_to_free_mem_cgroup_pages filemap_read vfs_read",
            "page-faults",
        ),
        ("mysql", "hrtimer_nanosleep row_insert_for_mysql ha_innobase::write_row start_thread", "purge-lag"),
        ("mysql", "do_select select os_thread_sleep log_free_check start_thread", "redo-space"),
        ("mysql", "do_select select os_thread_sleep some_function start_thread", "sleep"),
        ("mysql", "hrtimer_nanosleep [m] handler::ha_index_read_map start_thread", "concurrency-limit"),
        (
            "mysql",
            "hrtimer_nanosleep srv_conc_enter_innodb ha_innobase::index_read start_thread",
            "concurrency-limit",
        ),
        ("mysql", "hrtimer_nanosleep [m] handler::ha_update_row start_thread", "redo-space"),
        (
            "mysql",
            "do_select select my_sleep Stage_manager::wait_count_or_timeout MYSQL_BIN_LOG::ordered_commit",
            "commit",
        ),
        (
            "mariadb",
            "futex_wait pthread_cond_timedwait MYSQL_BIN_LOG::wait_for_sufficient_commits start_thread",
            "commit",
        ),
    ],
)
def test_a_stack_has_its_class(flavour: str, stack: str, expected: str | None) -> None:
    found = rules_of(flavour).wait_class(stack.split())
    assert (None if found is None else found.group) == expected
    assert expected is None or expected in groups()


@pytest.mark.parametrize(
    ("flavour", "stack", "line"),
    [
        ("mariadb", "do_fsync fdatasync MYSQL_BIN_LOG::trx_group_commit_leader ha_commit_trans", "binary log"),
        ("mariadb", "do_fsync fdatasync [m] ha_commit_trans", "fsync"),
        ("mysql", "do_fsync fsync MYSQL_BIN_LOG::ordered_commit ha_commit_trans", "binary log"),
        ("mysql", "do_fsync fsync Log_writer::flush innobase_flush_logs MYSQL_BIN_LOG::ordered_commit", "fsync"),
        ("mysql", "do_futex os_event::wait lock_wait_suspend_thread row_lock_table_autoinc_for_mysql", "auto-increment lock"),
        ("mysql", "do_futex os_event::wait lock_wait_suspend_thread row_ins_check_foreign_constraint", "foreign key"),
    ],
)  # fmt: skip
def test_a_wait_inside_a_group_has_a_line_of_its_own(flavour: str, stack: str, line: str) -> None:
    found = rules_of(flavour).wait_class([*stack.split(), "start_thread"])
    assert found is not None
    assert found.line == line


def test_a_wait_is_named_by_the_nearest_function_of_the_server() -> None:
    stack = (
        "schedule do_syscall_64 entry_SYSCALL_64_after_hwframe __libc_pread [mariadbd] handler::ha_rnd_next"
    )
    assert rules_of("mariadb").wait_class([*stack.split(), "start_thread"]) is not None
    found = rules_of("mariadb").wait_class(["schedule", "vfs_read", *stack.split()[1:], "start_thread"])
    assert found == WaitClass("data-reads", "handler::ha_rnd_next")
