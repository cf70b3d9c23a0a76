-- The command line: types of options, and commands.
local native, inner = ...

sysbench.cmdline = {
  ARG_NULL = 0,
  ARG_BOOL = 1,
  ARG_INT = 2,
  ARG_SIZE = 3,
  ARG_DOUBLE = 4,
  ARG_STRING = 5,
  ARG_LIST = 6,
  ARG_FILE = 7,
  ARG_MAX = 8,
  PARALLEL_COMMAND = true,
  argv = native.argv,
  command = native.command,
  script_path = native.script_path,
}
inner.later(
  "calls",
  sysbench.cmdline,
  "command_defined",
  "command_parallel",
  "call_command",
  "print_test_options",
  "read_cmdline_options"
)

-- Reports that scripts choose by `sysbench.hooks.report_intermediate = sysbench.report_csv`.
inner.later("report", sysbench, "report_default", "report_csv", "report_json")
