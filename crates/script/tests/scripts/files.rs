//! Scripts in files, and the files that they load.

use std::path::Path;

use assay_script::{Call, Origin};

use crate::support::{Played, play};

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

#[test]
fn files_of_a_script_are_found_beside_it_and_may_send_statements_while_they_load() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "beside.lua",
        "local con = sysbench.sql.driver():connect() con:query('DO 1') return {con = con}",
    );
    write(folder.path(), "more.lua", "more = require('beside').con:query_row('DO 2') or 'nothing'");
    let path = write(
        folder.path(),
        "main.lua",
        "
        local beside = require('beside')
        dofile(string.match(test, '(.*/)') .. 'more.lua')
        require('oltp_common')
        function event()
          assert(require('beside') == beside and more == 'nothing' and type(prepare_begin) == 'function')
          assert(sysbench.cmdline.script_path == test)
          beside.con:query('DO 3')
        end
        function thread_init() end
        function thread_done() end",
    );
    let mut host = Played::new(1, &[]);
    play(&Origin { path, ..Origin::default() }, &mut host, Call::Worker(0)).expect("a life");
    let expected = ["connect", "query DO 1", "query DO 2", "ready", "query DO 3", "ended", "disconnect"];
    assert_eq!(host.notes, expected);
}

#[test]
fn a_script_that_is_nowhere_is_told_the_places() {
    let of = Origin { path: "nowhere/at_all.lua".into(), ..Origin::default() };
    let error = play(&of, &mut Played::default(), Call::Worker(0)).expect_err("no file");
    assert!(error.message.contains("module 'nowhere/at_all' not found"), "{error}");
    assert!(error.message.contains("no file './nowhere/at_all.lua'"), "{error}");
    assert!(error.message.contains("no module 'nowhere/at_all' comes with the program"), "{error}");
}

#[test]
fn an_error_in_a_file_names_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "broken.lua", "local x = 1\nx.y.z = 2");
    let path = write(folder.path(), "main.lua", "require('broken')");
    let error = play(&Origin { path, ..Origin::default() }, &mut Played::default(), Call::Worker(0))
        .expect_err("broken");
    assert!(error.message.contains("broken.lua:2: attempt to index"), "{error}");
}
