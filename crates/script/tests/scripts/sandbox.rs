//! A script that is only read has nothing with which it could act, and still declares what it has.

use std::sync::{Arc, OnceLock};

use assay_script::{Declared, DryRun, Origin, Script, ScriptError};
use assay_wire::block_on;

use crate::support::origin;

/// What a script declares, and what it has tried to use that is not there.
fn read(source: &str) -> (Result<Declared, ScriptError>, Option<String>) {
    let tried = Arc::<OnceLock<String>>::default();
    let files = [("own.lua", "return { answer = 42 }"), ("more.lua", "more = 43")];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let origin =
        Origin { sandbox: Some(tried.clone()), files: Some(Arc::new(files.into())), ..origin(source, &[]) };
    let declared = block_on(async {
        let mut host = DryRun::default();
        Script::open(&origin, 0, &mut host).await?.declared(&mut host).await
    });
    (declared, tried.get().cloned())
}

#[test]
fn whatever_acts_is_not_there_and_is_noted() {
    let marker = std::env::temp_dir().join(format!("assay-sandbox-{}", std::process::id()));
    let name = marker.display();
    for (act, noted) in [
        (format!("os.execute('touch {name}')"), "os.execute"),
        (format!("pcall(os.execute, 'touch {name}')"), "os.execute"),
        ("os.exit(7)".into(), "os.exit"),
        ("local home = os.getenv('HOME')".into(), "os.getenv"),
        (format!("os.rename('/etc/hostname', '{name}')"), "os.rename"),
        (format!("io.open('{name}', 'w')"), "io.open"),
        (format!("io.popen('touch {name}')"), "io.popen"),
        ("for line in io.lines('/etc/hostname') do print(line) end".into(), "io.lines"),
        (format!("io.output('{name}')"), "io.output"),
        ("io.stdout:seek('set')".into(), "file.seek"),
        (format!("require('ffi').C.system('touch {name}')"), "ffi.C.system"),
        (format!("ffi.cdef('int system(const char *);') ffi.C.system('touch {name}')"), "ffi.C.system"),
        ("ffi.load('c')".into(), "ffi.load"),
        ("local x = ffi.new('int[1]')".into(), "ffi.new"),
        ("ffi.cast('void *', 8)".into(), "ffi.cast"),
        ("debug.getregistry()".into(), "debug.getregistry"),
        ("debug.getupvalue(print, 1)".into(), "debug.getupvalue"),
        ("debug.sethook(print, 'l')".into(), "debug.sethook"),
        ("package.loadlib('/lib/x.so', '*')".into(), "package.loadlib"),
        ("dofile('/etc/hostname')".into(), "loadfile(/etc/hostname)"),
        ("loadfile('/etc/hostname')".into(), "loadfile(/etc/hostname)"),
        ("getfenv(0)".into(), "getfenv"),
        ("setfenv(1, {})".into(), "setfenv"),
        ("newproxy(true)".into(), "newproxy"),
        ("sysbench.sql.driver():connect()".into(), "sysbench.sql.driver"),
        ("db_query('SELECT 1')".into(), "db_query"),
        ("sysbench.db.connect()".into(), "db_connect"),
        ("thread_run(0)".into(), "thread_run"),
    ] {
        let (_, tried) = read(&format!("\n{act}\nfunction event() end"));
        assert_eq!(tried, Some(format!("a.lua:2: {noted}")), "{act}");
        assert!(!marker.exists(), "{act}");
    }
}

#[test]
fn what_would_lead_back_to_it_is_nothing() {
    for nothing in [
        "package.preload.ffi",
        "package.preload['jit.util']",
        "package.loaded['string.buffer']",
        "loadstring(string.dump(function() end))",
        "load(function() return nil, nil end) and load(coroutine.wrap(function() coroutine.yield('\\27LJ') end))",
        "jit.attach",
        "jit.util",
        "debug.getinfo(1, 'f').func",
        "package.loaders[3]",
        "rawget(io.stdout, 'close')",
        "getmetatable(io.stdout).__gc",
    ] {
        let (declared, tried) = read(&format!("assert(not ({nothing}), 'there')\nfunction event() end"));
        assert_eq!((declared.map(drop), tried), (Ok(()), None), "{nothing}");
    }
    for module in ["ffi.x", "string.buffer", "jit.util", "table.new", "os.x"] {
        let (declared, _) = read(&format!("require('{module}')"));
        assert!(declared.is_err(), "{module}");
    }
}

#[test]
fn what_harms_nobody_is_there_for_declarations() {
    let script = r#"
        local ffi = require("ffi")
        ffi.cdef("int usleep(unsigned int);")
        local usleep = ffi.C.usleep
        local own, path = require("own"), debug.getinfo(1, "S").source:match("@?(.*/)")
        dofile("more.lua")
        math.randomseed(os.time())
        print(os.date("%Y"), jit.version, bit.band(7, 3), io.write(""))
        assert(loadstring("return 1")() == 1)
        jit.off()
        jit.opt.start("hotloop=5")
        require("oltp_common")
        sysbench.cmdline.options.mine = { "help", own.answer + more + sysbench.rand.uniform(0, 0) }
        function event() os.execute("true") end"#;
    let (declared, tried) = read(script);
    assert_eq!(tried, None);
    let declared = declared.unwrap();
    assert!(declared.declares && declared.prepares && declared.options.contains_key("mine"));
}
