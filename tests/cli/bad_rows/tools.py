"""`fio`, `sysbench`, `import`, `calibrate`, `advise`, `host`, `schema`, `report`, `doctor`."""

# ruff: noqa: E501 (one row a line)

from __future__ import annotations

from bad_rows.row import Row, row

JOB = "[global]\nsize=1M\nruntime=1\n[a]\nrw=read\n"


def _fio(name: str, old: str, new: str, *words: str) -> Row:
    return row(
        f"fio-{name}", "fio --check j.fio", 2, "j.fio", *words, files={"j.fio": JOB.replace(old, new, 1)}
    )


_FIO = [
    row("fio-none", "fio", 2, "Missing argument", "see: assay fio --help"),
    row("fio-missing", "fio none.fio", 2, "none.fio", "No such file"),
    row("fio-folder", "fio {here}", 2, "irectory"),
    row("fio-empty", "fio --check e.fio", 2, "e.fio", files={"e.fio": ""}),
    row("fio-binary", "fio --check e.fio", 2, "e.fio", files={"e.fio": bytes(range(256))}),
    row("fio-option", "fio --chek j.fio", 2, "No such option", "--check", files={"j.fio": JOB}),
    row("fio-output", "fio --output xml j.fio", 2, "'--output'", "fio-json", files={"j.fio": JOB}),
    row("fio-interval", "fio --report-interval=-1 j.fio", 2, "'--report-interval'", files={"j.fio": JOB}),
    row("fio-interval-nan", "fio --report-interval nan --check j.fio", 2, "'--report-interval'", files={"j.fio": JOB}),
    _fio("key", "rw=read", "rww=read", "rww", "rw"),
    _fio("value", "rw=read", "rw=reed", "reed", "read"),
    _fio("size", "size=1M", "size=lots", "lots"),
    _fio("block", "rw=read", "rw=read\nbs=0", "bs"),
    _fio("engine", "rw=read", "rw=read\nioengine=magic", "magic"),
    _fio("depth", "rw=read", "rw=read\niodepth=none", "iodepth"),
    _fio("section", "[a]\n", "", "j.fio"),
    _fio("size-huge", "size=1M", f"size={'9' * 400}", "j.fio:2", "at most 4096p"),
    _fio("direct-block", "rw=read", "rw=read\ndirect=1\nbs=1000", "multiples of 512"),
    _fio("directory-missing", "rw=read", "rw=read\ndirectory=gone", "j.fio", "there is no directory", "name another"),
]  # fmt: skip

_DISK = [
    row("own-no-source", "own init", 2, "Missing option '--from'", "see: assay own init --help"),
    row("own-missing", "own init --from gone.log", 2, "gone.log", "cannot find this file"),
    row("own-both", "own init --from f --schema f --dsn dsn:mysql://a@b/c", 2, "--schema", "--dsn", files={"f": ""}),
    row("own-nothing", "own init --from f", 2, "f: has no statement that a load can send", files={"f": "SET NAMES x;"}),
    row("own-there", "own init --from f -o f", 7, "f exists already", "--force", files={"f": "SELECT 1;"}),
    row("own-dsn", "own init --from dsn:mysql://me@localhost", 2, "names no database", "/shop"),
    row("own-check-wrong", "own check f.sql", 2, "f.sql:1:8: :a is never drawn", files={"f.sql": "SELECT :a;"}),
    row("own-check-no-tables", "own check f.sql", 2, "names no file that makes its tables", "--dsn", files={"f.sql": "SELECT 1;"}),
    row("own-check-set", "own check f.sql --set mix", 2, "--set mix", "NAME=VALUE", files={"f.sql": "SELECT 1;"}),
    row("disk-none", "disk", 2, "Missing argument", "see: assay disk --help"),
    row("disk-missing", "disk gone", 2, "'DIRECTORY'", "gone"),
    row("disk-file", "disk f", 2, "'DIRECTORY'", "is a file", files={"f": ""}),
    row("disk-option", "disk {here} --quik", 2, "No such option", "--quick"),
    row("disk-seconds", "disk {here} --seconds 0", 2, "'--seconds'", "out of range"),
    row("disk-seconds-nan", "disk {here} --seconds nan", 2, "'--seconds'", "not a length of time"),
    row("disk-quick", "disk {here} --quick --seconds 9", 2, "--quick", "--seconds"),
    row("disk-size", "disk {here} --size lots", 2, "'--size'", "512M"),
    row("disk-size-bytes", "disk {here} --size 64MB", 2, "'--size'", '"64M"'),
    row("calc-size-bytes", "calc redo --rate 4MB --holds 30min", 2, "'--rate'", '"4M"'),
    row("calc-size-kib", "calc redo --rate 4MiB --holds 30min", 2, "'--rate'", '"4M"'),
    row("calc-size-fraction", "calc buffer-pool --memory 1.5G", 2, "'--memory'", '"1536M"'),
    row("calc-size-zero", "calc buffer-pool --memory 0", 2, "'--memory'", "at least 1"),
    row("advise-size-bytes", "advise {here} --page-size 16KB", 2, "'--page-size'", '"16K"'),
    row("disk-size-small", "disk {here} --size 1M", 2, "'--size'", "16M to 16T"),
    row("disk-size-huge", "disk {here} --size 16T", 6, "free", "--size"),
    row("disk-output", "disk {here} --output gone/p.html", 2, "gone", "no directory"),
    row("disk-language", "disk {here} --language fr", 2, "'--language'", "zh"),
    row("disk-memory", "disk /dev/shm", 2, "tmpfs", "name a directory"),
]  # fmt: skip

_SYSBENCH = [
    row("sysbench-none", "sysbench", 2, "fileio"),
    row("sysbench-test", "sysbench cpuu run", 1, "FATAL: Cannot find benchmark 'cpuu': no such built-in test, file or module", 'did you mean "cpu"?'),
    row("sysbench-cpu-action", "sysbench cpu", 1, "The 'cpu' test requires a command argument. See 'sysbench cpu help'"),
    row("sysbench-script-action", "sysbench oltp_insert --threads=2", 1, "The 'oltp_insert' test requires a command argument. See 'sysbench oltp_insert help'"),
    row("sysbench-bulk-action", "sysbench bulk_insert", 1, "The 'bulk_insert' test requires a command argument."),
    row("sysbench-cpu-prepare", "sysbench cpu prepare", 1, "'cpu' test does not implement the 'prepare' command.", "assay sysbench cpu run"),
    row("sysbench-cpu-go", "sysbench cpu go", 1, "Unknown command: go", "run"),
    row("sysbench-cpu-third", "sysbench cpu run run", 1, "Unrecognized command line argument: run"),
    row("sysbench-cpu-prime", "sysbench cpu run --cpu-max-prime=2", 2, "'--cpu-max-prime'", "from 3"),
    row("sysbench-cpu-option", "sysbench cpu run --cpu-max-primes=2", 1, "invalid option: --cpu-max-primes=2", "did you mean --cpu-max-prime?"),
    row("sysbench-cpu-before", "sysbench --threads=0 cpu run", 2, "'--threads'", "from 1"),
    row("sysbench-cpu-output", "sysbench cpu run --output=xml", 2, "'--output'", "json"),
    row("sysbench-cpu-driver", "sysbench cpu run --mysql-debug", 1, "invalid option: --mysql-debug", "leave it out"),
    row("sysbench-cpu-histogram", "sysbench cpu run --histogram --percentile=0", 2, "--histogram", "--percentile=0"),
    row("sysbench-cpu-interval", "sysbench cpu run --report-interval=0.001", 2, "--report-interval", "at least 0.01 s"),
    row("sysbench-cpu-shutdown", "sysbench cpu run --forced-shutdown=soon", 2, "'--forced-shutdown'", "5%"),
    row("sysbench-cpu-checkpoints", "sysbench cpu run --report-checkpoints=1,x", 2, "'--report-checkpoints'", "10,60,600"),
    row("sysbench-cpu-verbosity", "sysbench cpu run --verbosity=6", 2, "'--verbosity'", "0 to 5"),
    row("sysbench-cpu-validate", "sysbench cpu run --validate=perhaps", 2, "must be on or off"),
    row("sysbench-memory-size", "sysbench memory run --memory-block-size=lots", 1, "FATAL: Invalid value for memory-block-size: lots", "a size such as 4k, 1m or 2g"),
    row("sysbench-memory-word", "sysbench memory run --memory-block-size=1001", 1, "FATAL: Invalid value for memory-block-size: 1001", "multiple of 8"),
    row("sysbench-memory-rate", "sysbench cpu run --rate=2000000000", 1, "FATAL: The event queue is full.", "1,000,000,000"),
    row("sysbench-memory-total", "sysbench memory run --memory-total-size=8", 2, "total_bytes", "at least one block"),
    row("sysbench-memory-oper", "sysbench memory run --memory-oper=writes", 2, "'--memory-oper'", "write"),
    row("sysbench-memory-much", "sysbench memory run --memory-block-size=32T --memory-total-size=0", 6, "bytes of memory", "smaller blocks"),
    row("sysbench-threads-locks", "sysbench threads run --thread-locks=0", 2, "'--thread-locks'"),
    row("sysbench-mutex-num", "sysbench mutex run --mutex-num=0", 2, "'--mutex-num'"),
    row("sysbench-file-missing", "sysbench cpu run --config-file=/nope.cfg", 2, "/nope.cfg: cannot be read: No such file"),
    row("sysbench-file-option", "sysbench cpu run --config-file=s.cfg", 2, "s.cfg:2: cpu has no option thread", "threads", files={"s.cfg": "time=1\nthread=2\n"}),
    row("sysbench-file-value", "sysbench cpu run --config-file=s.cfg", 2, "'--threads'", "many", files={"s.cfg": "threads=many\n"}),
    row("sysbench-file-binary", "sysbench cpu run --config-file=s.cfg", 2, "s.cfg", "is not UTF-8 text", files={"s.cfg": bytes(range(256))}),
    row("sysbench-script-none", "sysbench nope.lua prepare", 1, "FATAL: Cannot find benchmark 'nope.lua': no such built-in test, file or module"),
    row("sysbench-script-broken", "sysbench my.lua prepare", 1, "my.lua:2:", files={"my.lua": "local x = 1\nx.y.z = 2\n"}),
    row("sysbench-script-option", "sysbench oltp_read_only prepare --tabels=1", 1, "invalid option: --tabels=1", "did you mean --tables?"),
    row("sysbench-script-value", "sysbench oltp_read_only prepare --tables=many", 1, "invalid option: --tables=many", "expected a number"),
    row("sysbench-script-command", "sysbench oltp_read_only go", 1, "Unknown command: go"),
    row("sysbench-script-third", "sysbench oltp_read_only run now", 1, "Unrecognized command line argument: now"),
    row("sysbench-script-threads", "sysbench oltp_read_only run --threads=0", 2, "'--threads'", "from 1"),
    row("sysbench-script-driver", "sysbench oltp_read_only prepare --db-driver=pgsql", 1, "FATAL: invalid database driver name: 'pgsql'", "failed to initialize the DB driver"),
    row("sysbench-script-hosts", "sysbench oltp_read_only run --mysql-host=,", 2, "--mysql-host and --mysql-port must name a server"),
    row("sysbench-script-ports", "sysbench oltp_read_only run --mysql-port=1,many", 2, "--mysql-port=many: expected a port"),
    row("sysbench-script-tls", "sysbench oltp_read_only run --mysql-ssl=maybe", 2, "--mysql-ssl=maybe", "required"),
    row("sysbench-script-server", "sysbench oltp_read_only run --mysql-socket=/nope.sock", 1, "/nope.sock"),
    row("sysbench-mode", "sysbench fileio run", 2, "--file-test-mode"),
    row("sysbench-mode-word", "sysbench fileio --file-test-mode=rndr run", 2, "'--file-test-mode'", "rndrd"),
    row("sysbench-size", "sysbench fileio --file-total-size=lots --file-test-mode=rndrd run", 2, "'--file-total-size'", "a size such as 4k, 1m or 2g"),
    row("sysbench-threads", "sysbench fileio --threads=0 --file-test-mode=rndrd run", 2, "'--threads'"),
    row("sysbench-time", "sysbench fileio --time=nan --file-test-mode=rndrd run", 2, "'--time'"),
    row("sysbench-action", "sysbench fileio --file-test-mode=rndrd go", 1, "Unknown command: go", "run"),
    row("sysbench-no-files", "sysbench fileio --file-test-mode=rndrd --directory {here} --file-total-size=1M --file-num=1 --time=1 run", 2, "prepare"),
    row("sysbench-directory", "sysbench fileio --file-test-mode=rndrd --directory /nope run", 2, "/nope"),
]  # fmt: skip

_SB = "sysbench 0.5:  multi\nNumber of threads: 4\n"
_IMPORT = [
    row("import-none", "import", 2, "Missing argument", "see: assay import --help"),
    row("import-no-results", "import a.txt", 2, "--results", files={"a.txt": _SB}),
    row("import-missing", "import /nope.txt --results r", 2, "/nope.txt", "No such file"),
    row("import-folder", "import {here} --results r", 2, "directory"),
    row("import-empty", "import a.txt --results r", 2, "a.txt", "output of a tool", "sysbench", files={"a.txt": ""}),
    row("import-binary", "import a.txt --results r", 2, "a.txt:", "UTF-8", files={"a.txt": bytes(range(256))}),
    row("import-cut", "import a.txt --results r", 2, "a.txt: ends after line 2", "cut short", files={"a.txt": _SB}),
    row("import-version", "import a.txt --results r", 2, "a.txt:1: expected sysbench 0.4", files={"a.txt": _SB.replace("0.5", "7.5")}),
    row("import-option", "import a.txt --result r", 2, "No such option", "--results", files={"a.txt": _SB}),
    row("import-factor", "import a.txt --results r --factor =3", 2, "--factor", files={"a.txt": _SB}),
    row("import-every", "import a.txt --results r --every nan", 2, "'--every'", "length of time", files={"a.txt": _SB}),
]  # fmt: skip

_OTHERS = [
    row("calibrate-none", "calibrate", 2, "Workloads"),
    row("calibrate-workload", "calibrate oltp", 2, "oltp"),
    row("calibrate-nan", "calibrate oltp_point_select --time nan", 2, "'--time'"),
    row("calibrate-inf", "calibrate oltp_point_select --time inf", 2, "'--time'"),
    row("calibrate-option", "calibrate oltp_point_select --tabels 1", 2, "--tabels", "--tables"),
    row("advise-none", "advise", 2, "Missing argument", "see: assay advise --help"),
    row("advise-missing", "advise /nope", 2, "/nope"),
    row("advise-option", "advise {results} --pagesize 4k", 2, "No such option '--pagesize'", "--page-size"),
    row("host-none", "host", 2, "Commands"),
    row("host-verb", "host chek", 2, "No such command 'chek'", "check"),
    row("host-directory", "host check /nope", 2, "/nope"),
    row("host-knobs-directory", "host knobs /nope", 2, "/nope"),
    row("schema-name", "schema studdy", 2, "studdy", "study"),
    row("schema-write", "schema study --write /nope/x", 2, "/nope/x"),
    row("schema-write-folder", "schema study --write {here}", 2, "irectory"),
    row("doctor-option", "doctor --fix", 2, "No such option '--fix'", "see: assay doctor --help"),
    row("document-no-part", "document d.md", 2, "d.md: has no marked part to fill", "<!-- assay: KIND", files={"d.md": b"\xef\xbb\xbf# Ours\r\n"}),
    row("document-empty", "document d.md", 2, "d.md: has no marked part", files={"d.md": ""}),
    row("bundle-of-the-system", "bundle --open /proc/self/mem --to x", 2, "/proc/self/mem", "is not an archive of assay bundle", "Input/output error"),
    row("why-output", "why {here} --output o", 2, "--output needs --export"),
    row("why-budget", "why {here} --budget 5m", 2, "--budget needs --intervene"),
    row("why-export-load", "why {here} --export pprof --load 8", 2, "--load cannot be combined with --export"),
    row("why-export-language", "why {here} --export pprof --language zh", 2, "--language cannot be combined with --export", "--export html"),
    row("why-plans-try", "why {here} --plans --try pool", 2, "--try cannot be combined with --plans", "--intervene or --bottleneck"),
    row("why-bottleneck-of", "why {here} --bottleneck a=1 --treatment b=1", 2, "--treatment cannot be combined with --bottleneck"),
    row("why-cause-export", "why {here} --intervene --export html", 2, "--intervene cannot be combined with --export"),
    row("why-form", "why {here} --export svg", 2, "'svg' is not one of", "speedscope"),
    row("report-none", "report", 2, "Missing argument", "see: assay report --help"),
    row("report-missing", "report /nope", 2, "/nope"),
    row("report-empty", "report {here}", 2, "contains no results of a study", "assay run"),
    row("report-option", "report {results} --pgn", 2, "No such option '--pgn'", "--png"),
]  # fmt: skip

ROWS: list[Row] = [*_FIO, *_DISK, *_SYSBENCH, *_IMPORT, *_OTHERS]
