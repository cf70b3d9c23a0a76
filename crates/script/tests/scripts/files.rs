//! Scripts in files, and the files that they load.

use std::path::Path;
use std::sync::Arc;

use assay_script::{Call, Inputs, Origin};

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
fn a_module_is_found_at_the_first_place_of_the_path_that_has_it() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["first", "second"] {
        std::fs::create_dir_all(folder.path().join(name).join("kit")).expect("folders");
        write(folder.path(), &format!("{name}/kit/deep.lua"), &format!("return '{name}'"));
    }
    write(folder.path(), "second/broken.lua", "\n\nreturn (");
    let path = write(
        folder.path(),
        "main.lua",
        "
        local beside = string.match(test, '(.*/)')
        package.path = ';' .. beside .. 'first/?.lua;' .. beside .. 'second/?.lua'
        local found, message = pcall(require, 'broken')
        assert(not found and message:find('second/broken.lua:3:', 1, true), message)
        assert(require('kit.deep') == 'first')
        package.path = nil
        assert(not pcall(require, 'kit.other'))
        error('all held', 0)",
    );
    let error = play(&Origin { path, ..Origin::default() }, &mut Played::default(), Call::Begin);
    let message = error.expect_err("its end").message;
    assert!(message.ends_with("main.lua:9: all held"), "{message}");
}

#[test]
fn a_file_that_has_changed_is_loaded_anew_and_its_first_line_may_be_for_a_shell() {
    let folder = tempfile::tempdir().expect("a folder");
    let ends = |text: &str| {
        let path = write(folder.path(), "main.lua", text);
        let loaded =
            || play(&Origin { path: path.clone(), ..Origin::default() }, &mut Played::default(), Call::Begin);
        // The second time it is the code that the first has left.
        assert_eq!(loaded(), loaded());
        loaded().expect_err("an end").message
    };
    assert!(ends("#!/usr/bin/sysbench\nfunction event() end\nerror('first')").contains("main.lua:3: first"));
    assert!(ends("function event() end\nerror('the second')").contains("main.lua:2: the second"));
    assert!(ends("function event(").contains("main.lua:1:"));
}

#[test]
fn a_script_that_is_nowhere_is_refused_in_the_words_of_sysbench() {
    let of = |path: &str| Origin { path: path.into(), ..Origin::default() };
    let error =
        play(&of("nowhere/at_all.lua"), &mut Played::default(), Call::Worker(0)).expect_err("no file");
    let words = "Cannot find benchmark 'nowhere/at_all.lua': no such built-in test, file or module";
    assert_eq!(error.message, words);

    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), "main.lua", "require('nowhere.at_all')");
    let error = play(&of(&path), &mut Played::default(), Call::Worker(0)).expect_err("no module");
    assert!(error.message.contains("main.lua:1: module 'nowhere.at_all' not found"), "{error}");
    assert!(error.message.contains("no file './nowhere/at_all.lua'"), "{error}");
    assert!(error.message.contains("no module 'nowhere.at_all' comes with the program"), "{error}");
}

#[test]
fn an_error_in_a_file_names_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let main = write(folder.path(), "main.lua", "require('broken')");
    for (text, words) in [
        ("local x = 1\nx.y.z = 2", "broken.lua:2: attempt to index"),
        ("function event(", "main.lua:1: error loading module 'broken' from file"),
    ] {
        write(folder.path(), "broken.lua", text);
        let origin = Origin { path: main.clone(), ..Origin::default() };
        let error = play(&origin, &mut Played::default(), Call::Worker(0)).expect_err("broken");
        assert!(error.message.contains(words), "{error}");
    }
}

#[test]
fn a_script_that_came_with_its_files_finds_those_and_none_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "beside.lua", "error('found beside it')");
    let files = [
        ("kit/common.lua", "return {word = 'common'}"),
        ("kit/more.lua", "more = require('common').word"),
        ("top.lua", "top = loadfile('kit/common.lua')().word"),
    ];
    let origin = |source: &str| Origin {
        path: "kit/main.lua".into(),
        source: Some(source.into()),
        files: Some(Arc::new(files.map(|(name, text)| (name.into(), text.into())).into())),
        ..Origin::default()
    };
    let source = "
        require('more') dofile('./top.lua') dofile('kit/more.lua')
        function event() sysbench.sql.driver():connect():query('DO ' .. more .. top) end";
    let mut host = Played::new(1, &[]);
    play(&origin(source), &mut host, Call::Worker(0)).expect("a life");
    assert_eq!(host.notes, ["ready", "connect", "query DO commoncommon", "ended", "disconnect"]);

    let beside =
        Origin { path: folder.path().join("main.lua").display().to_string(), ..origin("require('beside')") };
    for (wrong, words) in [
        (beside, "no file of the script is the module 'beside'"),
        (origin("\nrequire('nowhere')"), "main.lua:2: module 'nowhere' not found"),
    ] {
        let error = play(&wrong, &mut Played::default(), Call::Worker(0)).expect_err("no file");
        assert!(error.message.contains(words), "{error}");
    }
}

#[test]
fn what_a_command_reads_beside_its_files_is_noted_where_somebody_asks() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = |name: &str| folder.path().join(name).display().to_string();
    for name in ["dump.sql", "lines", "done.lua", "loaded.lua", "written", "kit.lua"] {
        write(folder.path(), name, "return 1");
    }
    let body = format!(
        "local at = '{}/'
        package.path = at .. '?.lua'
        {{}}
        function prepare() {{}} end",
        folder.path().display()
    );
    let opens = "assert(io.open(at .. 'dump.sql')):close() assert(io.open(at .. 'written', 'w')):close()
        io.open(at .. 'missing', 'rb') for _ in io.lines(at .. 'lines') do end dofile(at .. 'done.lua')
        loadfile(at .. 'loaded.lua') require('kit') require('own') dofile('own.lua')";
    let con = "local con = sysbench.sql.driver():connect()";
    let statement = |text: &str| format!("{con} con:query([[{text}]])");
    let files = ["dump.sql", "missing", "lines", "done.lua", "loaded.lua", "kit.lua"].map(here);
    for (at_load, in_command, files, others) in [
        (opens, String::new(), &files[..], &[][..]),
        ("", opens.to_owned(), &files, &[]),
        (
            "",
            statement("LOAD DATA LOCAL INFILE '/x/rows.csv' INTO TABLE t"),
            &["/x/rows.csv".to_owned()],
            &[],
        ),
        ("", statement("INSERT INTO t SELECT LOAD_FILE('/x/blob')"), &["/x/blob".to_owned()], &[]),
        ("", statement("LOAD DATA INFILE @name INTO TABLE t"), &[], &["a file of a statement"]),
        ("os.execute('sleep 0') require('ffi').typeof('int')", String::new(), &[], &[]),
        ("", "os.execute('true')".to_owned(), &[], &["os.execute()"]),
        ("", "io.popen('true'):close()".to_owned(), &[], &["io.popen()"]),
        ("os.getenv('HOME')", String::new(), &[], &["os.getenv(\"HOME\")"]),
        ("", "require('ffi').C.getpid()".to_owned(), &[], &["ffi.C"]),
        ("local _ = ffi.C", String::new(), &[], &["ffi.C"]),
    ] {
        let source = body.replacen("{}", at_load, 1).replacen("{}", &in_command, 1);
        let origin = Origin {
            path: "main.lua".into(),
            source: Some(source),
            files: Some(Arc::new([("own.lua".to_owned(), "return 2".to_owned())].into())),
            ..Origin::default()
        };
        let inputs = Inputs::taken();
        let origin = Origin { inputs: inputs.clone(), ..origin };
        let _ = play(&origin, &mut Played::default(), Call::Command("prepare"));
        let noted = inputs.noted();
        let mut expected = files.to_vec();
        expected.sort();
        assert_eq!(noted.files.into_iter().collect::<Vec<_>>(), expected, "{at_load} {in_command}");
        assert_eq!(
            noted.others.iter().map(|name| &**name).collect::<Vec<_>>(),
            others,
            "{at_load} {in_command}"
        );
    }
}
