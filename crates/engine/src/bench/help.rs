//! The lists of options and tests, from the tables that the command line is read by.

use assay_script::bundled_names;
use assay_workload::{Listing, catalogue};
use serde_json::Value;

use crate::bench::options::{DRIVER, GENERAL, Known, OF_SCRIPTS};

const USAGE: &str = "Runs a Lua script for sysbench, or a built-in workload, against a MySQL-family server, and prints sysbench's \
text. It needs no Python, no client library and no files beside it.

Usage:
  assay-engine bench [options]... SCRIPT-OR-WORKLOAD COMMAND

A script is a file, one of those below, or - for standard input. A program file that is called `sysbench` (a link will do)
takes the same command line without the word bench.

Example, on a server at the usual socket:
  assay-engine bench oltp_read_write prepare --mysql-user=root --mysql-db=test --tables=4 --table-size=100000
  assay-engine bench oltp_read_write run --mysql-user=root --mysql-db=test --tables=4 --table-size=100000 --threads=16 \
--time=60 --report-interval=1
  assay-engine bench oltp_read_write cleanup --mysql-user=root --mysql-db=test --tables=4

Commands of most tests: prepare run cleanup help

Ctrl-C ends a run and prints what was measured until then; a second one ends at once.
Exit codes: 0 done, 2 wrong options, 3 no connection or login, 4 the server refused, 5 the server went away, 6 this machine,
8 a check has found something, 130 interrupted; under the name sysbench 1 for every failure.
";

/// The help of the command.
pub(super) fn general_help() -> String {
    let scripts: Vec<&str> = bundled_names().collect();
    let workloads: Vec<Listing> =
        catalogue().into_iter().filter(|listing| !scripts.contains(&listing.name.as_str())).collect();
    let mut text = USAGE.to_owned();
    for (title, table) in [("General", GENERAL), ("Server", DRIVER), ("Script", OF_SCRIPTS)] {
        text += &format!("\n{title} options:\n{}", section(table));
    }
    text += &format!("\nScripts:\n  {}\n\nBuilt-in workloads:\n", scripts.join("\n  "));
    for listing in workloads {
        text += &format!("  {:<18} {}\n", listing.name, listing.summary);
    }
    text + "\nThe options of a test: assay-engine bench TEST help\n"
}

/// The options of a built-in workload.
pub(super) fn workload_help(listing: &Listing) -> String {
    let mut text = format!("{}: {}\n\n{0} options:\n", listing.name, listing.summary);
    for (name, property) in listing.options.properties() {
        let default = match property.get("default") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(words)) => format!(" [{words}]"),
            Some(Value::Bool(on)) => format!(" [{}]", if *on { "on" } else { "off" }),
            Some(value) => format!(" [{value}]"),
        };
        let help = property.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
        text += &format!("  --{:<28} {help}{default}\n", name.replace('_', "-"));
    }
    text
}

fn section(table: &[Known]) -> String {
    let width = table.iter().map(|known| known.name.len() + known.value.len()).max().unwrap_or(0);
    let line = |known: &Known| {
        let default = if known.default.is_empty() { String::new() } else { format!(" [{}]", known.default) };
        let name = format!("{}{}", known.name, known.value);
        format!("  --{name:<width$} {}{default}\n", known.help)
    };
    table.iter().map(line).collect()
}
