"""The ledger of processor time: names, groups, lines that add up, frames, and the forms of other programs."""

# ruff: noqa: E501 (one row a stack)

from __future__ import annotations

import gzip
import json
from pathlib import Path

import msgspec
import pytest
from assay.design.folder import (
    Function,
    ObjectFile,
    ProfileSource,
    ProfileWindow,
    RunFolder,
    RungFolder,
    SampledStack,
    ScheduledThreads,
    StackProfile,
    Stretch,
    ThreadName,
    write_packed,
    write_window,
)
from assay.results.ledger import MeasuredLoad, WatchedLoad, watched_load
from assay.results.ledger.export import FORMS, RunProfile, mean_profile
from assay.results.ledger.function_names import cut_name
from assay.results.ledger.groups import group_of, group_rules, label

KERNEL, NOWHERE = -1, -2


def function(name: str) -> Function:
    """Returns a function as it is written here: `k:` of the kernel, `?` nowhere, `file+0x…` nameless."""
    if name == "?":
        return Function("unknown", NOWHERE, False)
    if name.startswith("k:"):
        return Function(name[2:], KERNEL, True)
    return Function(name, 0, "+0x" not in name)


@pytest.mark.parametrize(
    ("symbol", "cut"),
    [
        ("malloc", "malloc"),
        ("mariadbd+0xd3ea10", "mariadbd+0xd3ea10"),
        ("long Item::val<true>(THD*) const [clone .part.0]", "Item::val"),
        ("operator new(unsigned long)", "operator new"),
        ("std::vector<int, std::allocator<int> >::operator[](unsigned long)", "std::vector::operator[]"),
        ("bool (anonymous namespace)::f<(lock_mode)3>(int)", "(anonymous namespace)::f"),
        ("Foo::operator()(int) const", "Foo::operator()"),
        ("Foo::operator<(Foo const&) const", "Foo::operator<"),
        ("Foo::operator<=>(Foo const&) const", "Foo::operator<=>"),
        ("void ut::f(int)::{lambda()#1}::operator()() const", "ut::f::{lambda#1}::operator()"),
        ("std::function<void ()>::operator()() const", "std::function::operator()"),
        ("ext4_writepages.constprop.0", "ext4_writepages"),
        ("std::enable_if<(a)->b, int>::type f<int>(int)", "f"),
        ("void sort<bool (*)(int)>(bool (*)(int))", "sort"),
        ("std::string::c_str[abi:cxx11]()", "std::string::c_str"),
        ("mtr_t::~mtr_t()", "mtr_t::~mtr_t"),
    ],
)
def test_a_function_is_cut_to_what_builds_have_in_common(symbol: str, cut: str) -> None:
    assert cut_name(symbol) == cut


@pytest.mark.parametrize(
    ("stack", "thread", "group", "line"),
    [
        ("MYSQLparse", "", "parse", "MYSQLparse"),
        ("m+0x10 ? m+0x20 ha_commit_trans(THD*,bool)", "", "commit", "m+0x10 below ha_commit_trans"),
        ("m+0x10 ? m+0x20 ha_rollback_trans(THD*,bool)", "", "undo-purge", "m+0x10 below ha_rollback_trans"),
        ("libc+0x9 row_search_mvcc handler::ha_rnd_next", "", "row-read", "libc+0x9 below row_search_mvcc"),
        ("__memcpy_avx row_search_mvcc", "", "copies", "__memcpy_avx"),
        ("ut_delay lock_rec_lock", "", "latches", "ut_delay"),
        ("lock_rec_lock row_search_mvcc", "", "row-locks", "lock_rec_lock"),
        ("lock_tables", "", "metadata-locks", "lock_tables"),
        ("btr_cur_search_to_nth_level row_ins_clust_index_entry", "", "btree", "btr_cur_search_to_nth_level"),
        ("k:_raw_spin_lock k:tcp_sendmsg k:do_syscall_64 send", "", "kernel-network", "_raw_spin_lock"),
        ("k:schedule k:futex_wait k:do_syscall_64 pthread_cond_wait", "", "kernel-scheduler", "schedule"),
        ("k:copy_page k:ext4_writepages k:do_syscall_64 fsync", "", "kernel-file", "copy_page"),
        ("k:what_is_this MYSQLparse", "", "kernel-other", "what_is_this"),
        ("mariadbd+0x30", "", "unnamed", "mariadbd+0x30"),
        ("k:ext4_writepages os_file_flush", "ib_log_flush", "redo", "ext4_writepages"),
        ("crc32 buf_flush_page_cleaner", "mariadbd", "flushing", "crc32"),
        ("row_purge_step", "thread/innodb/srv_worker_thread", "undo-purge", "row_purge_step"),
        ("filesort(THD*)", "thread/sql/one_connection", "sort", "filesort"),
        ("m+0x4 PFS_v1[36] handler::ha_rnd_next", "", "performance-schema", "m+0x4 below PFS_v1[36]"),
        ("m+0x4 pfs_spawn_thread start_thread", "thread/sql/one_connection", "protocol", "m+0x4 below pfs_spawn_thread"),
        ("my_charset_utf8mb4_*[24.1] Field_str::cmp", "", "charset", "my_charset_utf8mb4_*[24.1]"),
        ("k:ext4_write k:do_syscall_64 write LOGGER::general_log_write", "", "query-logs", "ext4_write"),
        ("row_ins_step sp_head::execute_trigger mysql_update", "", "stored-programs", "row_ins_step"),
        ("Item_func_md5::val_str TABLE::update_virtual_fields mysql_insert", "", "generated-columns", "Item_func_md5::val_str"),
        ("btr_search row_ins_check_foreign_constraint row_ins", "", "constraints", "btr_search"),
        ("send Query_cache::send_result_to_client mysql_parse", "", "query-cache", "send"),
        ("tc_acquire_table tdc_acquire_share open_table", "", "open-tables", "tc_acquire_table"),
        ("json_scan_start Item_func_json_extract::val_str", "", "json", "json_scan_start"),
        ("EVP_DigestUpdate Item_func_md5::val_str", "", "digests", "EVP_DigestUpdate"),
        ("clock_gettime dispatch_command", "", "clock", "clock_gettime"),
        ("row_read Event_worker_thread::run start_thread", "mariadbd", "event-scheduler", "row_read"),
        ("m+0x4 _mi_read_cache ha_myisam::rnd_next", "", "aria-myisam", "m+0x4 below _mi_read_cache"),
        ("_mi_heap_malloc", "", "memory", "_mi_heap_malloc"),
        ("Json_writer::add_str Opt_trace_context::start JOIN::optimize", "", "optimizer-trace", "Json_writer::add_str"),
        ("malloc handler::update_global_table_stats close_thread_table", "", "user-statistics", "malloc"),
        ("deflate fil_page_compress buf_flush_page_cleaner", "", "compression", "deflate"),
        ("k:shrink_lruvec k:filemap_read k:do_syscall_64 pread", "", "kernel-memory", "shrink_lruvec"),
        # tools that everybody uses belong to who used them
        ("pthread_mutex_lock m+0x4 ? handler::ha_write_tmp_row JOIN::exec", "", "sort", "pthread_mutex_lock"),
        ("pthread_mutex_lock _ma_write_block pagecache_write", "", "aria-myisam", "pthread_mutex_lock"),
        ("__pthread_rwlock_rdlock EVP_MD_fetch Item_func_md5::val_str", "", "digests", "__pthread_rwlock_rdlock"),
        ("lf_hash_search MDL_map::find_or_insert", "", "metadata-locks", "lf_hash_search"),
        ("pthread_mutex_lock m+0x4", "", "latches", "pthread_mutex_lock"),
        ("__lll_lock_wait pthread_mutex_lock _ma_write_block", "", "latches", "__lll_lock_wait"),
        ("my_b_flush_io_cache _my_b_write merge_buffers filesort", "", "sort", "my_b_flush_io_cache"),
        ("my_b_flush_io_cache MYSQL_BIN_LOG::write_cache", "", "binlog", "my_b_flush_io_cache"),
        ("write vio_write net_real_write", "", "protocol", "write"),
        # files of the kernel, by who keeps them
        ("k:ext4_write k:do_syscall_64 write my_b_flush_io_cache merge_buffers filesort", "", "sort", "ext4_write"),
        ("k:ext4_write k:do_syscall_64 write my_write _ma_flush_bitmap", "", "aria-myisam", "ext4_write"),
        ("k:ext4_write k:do_syscall_64 write my_b_flush_io_cache MYSQL_BIN_LOG::flush_cache", "", "binlog", "ext4_write"),
        ("k:ext4_sync_file k:do_syscall_64 fsync os_file_flush_func log_write_up_to", "", "redo", "ext4_sync_file"),
        ("k:ext4_read k:do_syscall_64 pread64 os_file_read fil_io filesort", "", "kernel-file", "ext4_read"),
        ("k:ext4_read k:do_syscall_64 pread64 m+0x4 row_search_mvcc filesort", "", "kernel-file", "ext4_read"),
        ("k:copy_page k:ext4_writepages k:do_syscall_64 fsync os_file_flush_func", "", "kernel-file", "copy_page"),
    ],
)  # fmt: skip
def test_the_first_function_from_the_leaf_that_is_known_decides(
    stack: str, thread: str, group: str, line: str
) -> None:
    found = [function(name) for name in stack.split()]
    assert group_of(found, thread, group_rules(), "unnamed") == group
    assert label(found) == line


def test_code_without_a_name_goes_by_its_file_where_that_has_one_purpose() -> None:
    objects = [ObjectFile("mariadbd"), ObjectFile("libcrypto.so.3"), ObjectFile("libpcre2-8.so.0")]

    def stack(*functions: tuple[str, int]) -> list[Function]:
        return [Function(name, number, "+0x" not in name) for name, number in functions]

    def group(*functions: tuple[str, int]) -> str:
        return group_of(stack(*functions), "", group_rules(), "unnamed", objects)

    in_library = ("libcrypto+0x10", 1)
    assert group(in_library) == "encryption"
    assert group(in_library, ("MYSQLparse", 0)) == "encryption"
    assert group(in_library, ("EVP_DigestUpdate", 1), ("MYSQLparse", 0)) == "digests"
    assert group(("libpcre2+0x10", 2), ("Item_func_regex::val_int", 0)) == "regex"
    assert group(("mariadbd+0x10", 0)) == "unnamed"
    objects.append(ObjectFile("server_audit.so"))
    assert group(("memcpy", 0), ("server_audit+0x10", 3), ("dispatch_command", 0)) == "audit", (
        "all that it calls"
    )
    assert group(("memcpy", 0), ("libcrypto+0x10", 1), ("dispatch_command", 0)) == "copies"


def test_any_name_is_cut_in_time() -> None:
    assert cut_name("f" + ".part.1" * 10_000 + "x").startswith("f")


def test_what_the_kernel_took_and_nobody_counted_is_charged_to_no_function(tmp_path: Path) -> None:
    rung = RunFolder(tmp_path).rung(1, "threads", 4)
    rung.profile.path.mkdir(parents=True)
    measured = MeasuredLoad(4.0, "threads", {"server_cpu_us_per_query": 50.0, "tps": 100.0})
    write_packed(rung.profile, "stacks", planted(SEEN, kernel=False))
    for kernel in (None, 11.0):  # more than all
        stretch = msgspec.structs.replace(STRETCH, server_kernel_us=kernel)
        write_window(rung.profile, ProfileWindow(main=stretch))
        watched = watched_load(rung, measured)
        assert watched is not None
        assert not [*watched.lines, *watched.frames]
        assert "could not see into the kernel" in watched.unread["stacks"]
        assert (
            mean_profile("a", [RunProfile(planted(SEEN, kernel=False), ProfileWindow(main=stretch), 40.0)])
            is None
        )


def seen(rung: RungFolder, measured: MeasuredLoad) -> WatchedLoad:
    found = watched_load(rung, measured)
    assert found is not None
    assert found.unread == {}
    return found


def planted(stacks: list[tuple[str, int]], *, kernel: bool = True) -> StackProfile:
    """Returns a profile of one thread with these stacks, each with its samples."""
    places: dict[str, int] = {}
    rows = [[places.setdefault(name, len(places)) for name in stack.split()] for stack, _ in stacks]
    return StackProfile(
        period_ns=1_001_001,
        threads=[ThreadName("thread/sql/one_connection", 4)],
        objects=[ObjectFile("mariadbd", "ab")],
        functions=[function(name) for name in places],
        stacks=[SampledStack(0, row, count) for row, (_, count) in zip(rows, stacks, strict=True)],
        kernel=kernel,
    )


SEEN = [
    ("MYSQLparse mysql_parse dispatch_command", 16_000),
    ("lex_one_token MYSQLparse mysql_parse dispatch_command", 2500),
    ("find_keyword MYSQLparse mysql_parse dispatch_command", 1),
    ("row_search_mvcc handler::ha_index_read_map dispatch_command", 20_000),
    ("mariadbd+0x30", 1499),
]
STRETCH = Stretch(
    begin_wall_ns=0, end_wall_ns=10**9, queries=9, transactions=1, server_cpu_us=10.0, server_kernel_us=4.0
)
WINDOW = ProfileWindow(main=STRETCH)


def test_lines_and_frames_add_up_to_what_was_measured(tmp_path: Path) -> None:
    rung = RunFolder(tmp_path).rung(1, "threads", 4)
    rung.profile.path.mkdir(parents=True)
    measured = MeasuredLoad(4.0, "threads", {"server_cpu_us_per_query": 50.0, "tps": 100.0})
    assert watched_load(rung, measured) is None
    write_window(rung.profile, WINDOW)
    write_packed(rung.profile, "stacks", planted([*SEEN, ("never", 0)]))
    lines = {(one.group, one.line): one.amount for one in seen(rung, measured).lines}
    assert sum(lines.values()) == pytest.approx(50.0, rel=1e-12)
    assert lines["parse", "MYSQLparse"] == pytest.approx(50 * 16_000 / 40_000)
    assert lines["unnamed", "mariadbd+0x30"] == pytest.approx(50 * 1499 / 40_000)
    assert lines["parse", ""] == pytest.approx(50 * 1 / 40_000)  # too few to have a line
    frames = seen(rung, measured).frames
    amounts = {(one.parent, one.name): one.amount for one in frames}
    assert amounts[None, ""] == pytest.approx(50.0)
    calls = {one.number: one for one in frames}
    leaf = next(one for one in frames if one.name == "lex_one_token")
    assert (leaf.group, leaf.amount) == ("parse", pytest.approx(50 * 2500 / 40_000))
    path = []
    while leaf.parent is not None:
        path.append(leaf.name)
        leaf = calls[leaf.parent]
    assert path == ["lex_one_token", "MYSQLparse", "mysql_parse", "dispatch_command"]
    assert "find_keyword" not in {one.name for one in frames}

    write_packed(rung.profile, "stacks", planted(SEEN, kernel=False))
    lines = {(one.group, one.line): one.amount for one in seen(rung, measured).lines}
    assert lines["kernel-unseen", ""] == pytest.approx(20.0)  # as the kernel itself counts it
    assert lines["parse", "MYSQLparse"] == pytest.approx(30 * 16_000 / 40_000)
    assert sum(lines.values()) == pytest.approx(50.0)


def test_every_form_has_the_mean_over_runs_and_the_same_sum() -> None:
    runs = [RunProfile(planted(SEEN), WINDOW, 40.0), RunProfile(planted(SEEN[:1]), WINDOW, 60.0)]
    profile = mean_profile("a threads 4", [*runs, RunProfile(planted([]), WINDOW, 5.0)])
    assert profile is not None
    assert (profile.runs, profile.total_us) == (2, pytest.approx(50.0))
    parse = (40 * 16_000 / 40_000 + 60) / 2
    calls = "[thread/sql/one_connection];dispatch_command;mysql_parse;MYSQLparse"
    collapsed = dict(line.rsplit(" ", 1) for line in FORMS["collapsed"].write(profile).decode().splitlines())
    assert int(collapsed[calls]) == round(parse * 1e6)

    scope = json.loads(FORMS["speedscope"].write(profile))
    names = [one["name"] for one in scope["shared"]["frames"]]
    shown = scope["profiles"][0]
    of = {
        ";".join(names[one] for one in row): by
        for row, by in zip(shown["samples"], shown["weights"], strict=True)
    }
    assert of[calls] == pytest.approx(parse)
    assert shown["endValue"] == pytest.approx(sum(shown["weights"])) == pytest.approx(50.0)

    thread = json.loads(FORMS["firefox"].write(profile))["threads"][0]
    table, functions, texts = thread["stackTable"], thread["funcTable"]["name"], thread["stringArray"]

    def named(stack: int | None) -> list[str]:
        if stack is None:
            return []
        return [*named(table["prefix"][stack]), texts[functions[table["frame"][stack]]]]

    samples = thread["samples"]
    of = {";".join(named(one)): by for one, by in zip(samples["stack"], samples["weight"], strict=True)}
    assert of[calls] == pytest.approx(parse)
    assert len(table["frame"]) == table["length"]

    message = read_message(gzip.decompress(FORMS["pprof"].write(profile)))
    strings = [one.decode() for one in message[6]]
    functions_of = {read_message(one)[1][0]: strings[read_message(one)[2][0]] for one in message[5]}
    values = {}
    for sample in map(read_message, message[2]):
        leaf_first = [functions_of[one] for one in packed(sample[1][0])]
        values[";".join(reversed(leaf_first))] = packed(sample[2][0])[0]
    assert values[calls] == round(parse * 1e6)
    assert strings[0] == ""


def read_message(content: bytes) -> dict[int, list]:  # type: ignore[type-arg]
    """Returns the fields of a message of protobuf: numbers, and bytes."""
    found: dict[int, list] = {}  # type: ignore[type-arg]
    at = 0
    while at < len(content):
        key, at = varint(content, at)
        value, at = varint(content, at)
        if key & 7 == 2:
            value, at = content[at : at + value], at + value  # type: ignore[assignment]
        found.setdefault(key >> 3, []).append(value)
    return found


def packed(content: bytes) -> list[int]:
    found, at = [], 0
    while at < len(content):
        value, at = varint(content, at)
        found.append(value)
    return found


def varint(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if byte < 0x80:
            return value, at


def test_a_damaged_file_takes_the_lines_of_its_source_alone(tmp_path: Path) -> None:
    """Every way in which a file beside a measured window can be of no use is said, and the rest is read."""
    rung = RunFolder(tmp_path).rung(1, "threads", 4)
    rung.profile.path.mkdir(parents=True)
    measured = MeasuredLoad(4.0, "threads", {"server_cpu_us_per_query": 50.0, "tps": 100.0})
    write_window(rung.profile, ProfileWindow(main=STRETCH))
    write_packed(
        rung.profile,
        "schedstat",
        ScheduledThreads(window_ns=10**9, threads=4, on_cpu_ns=10**9, delayed_ns=0),
    )
    whole = planted(SEEN)
    beyond = msgspec.structs.replace(whole, stacks=[SampledStack(0, [99], 7)])
    no_thread = msgspec.structs.replace(whole, threads=[])
    for wrong, why in (
        (beyond, "stacks.json.gz is damaged: list index out of range"),
        (no_thread, "stacks.json.gz is damaged: list index out of range"),
        (planted([]), "it recorded no sample"),
        (b"no gzip", "stacks.json.gz is damaged"),
        (gzip.compress(b"[]"), "stacks.json.gz is damaged: Expected"),
        (gzip.compress(msgspec.json.encode(whole))[:-30], "stacks.json.gz is damaged: it is cut short"),
    ):
        if isinstance(wrong, bytes):
            rung.profile.packed("stacks").write_bytes(wrong)
        else:
            write_packed(rung.profile, "stacks", wrong)
        found = watched_load(rung, measured)
        assert found is not None
        assert why in found.unread["stacks"]
        assert {one.ledger for one in found.lines} == {"time"}
        assert not found.frames
    write_packed(rung.profile, "stacks", whole)
    found = watched_load(rung, measured, {"stacks.json.gz": "is missing"})
    assert found is not None
    assert found.unread == {"stacks": "its file stacks.json.gz is missing"}
    read = {"stacks": ProfileSource(read={"samples": 7.0}), "switches": ProfileSource(read={"switches": 7.0})}
    write_window(rung.profile, ProfileWindow(main=STRETCH, sources=read))
    found = watched_load(rung, measured)
    assert found is not None
    assert found.unread == {"switches": "its file switches.json.gz is missing"}  # it says that it has read
    without = watched_load(rung, MeasuredLoad(4.0, "threads", {"tps": 0.0}))
    assert without is not None
    assert set(without.unread) == {"stacks", "schedstat", "switches"}
    assert not without.lines
    rung.profile.window.write_bytes(b"{")
    found = watched_load(rung, measured)
    assert found is not None
    assert (found.window, found.lines, list(found.unread)) == (None, [], ["load"])
