//! What a command costs: allocations, calls of the stream, memory of an idle connection.

#[path = "../support/mod.rs"]
mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io;
use std::task::{Context, Poll};

use assay_wire::{Blocking, Connection, Discard, Param, Row, Rows, Stream, Template, block_on};

/// Counts what this thread allocates.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: hands everything on to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        BYTES.set(BYTES.get() + layout.size().cast_signed());
        // SAFETY: the caller's promises are those asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.set(BYTES.get() - layout.size().cast_signed());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Counts the calls of a stream: each is a system call.
struct Calls<T> {
    stream: T,
    reads: usize,
    writes: usize,
}

impl<T: Stream> Stream for Calls<T> {
    fn poll_read(&mut self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        self.reads += 1;
        self.stream.poll_read(cx, buf)
    }

    fn poll_write(&mut self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.writes += 1;
        self.stream.poll_write(cx, buf)
    }
}

/// Adds up the first column.
#[derive(Default)]
struct Sum(i64);

impl Rows for Sum {
    fn row(&mut self, row: &Row<'_>) {
        self.0 += row.int(0).unwrap_or_default() + i64::from(row.bytes(1).is_some());
    }
}

/// Allocations, reads and writes of the second half of `rounds`.
macro_rules! cost {
    ($connection:ident, $rounds:expr, $command:expr) => {{
        let mut before = (0, 0, 0);
        for round in 0..$rounds {
            if round == $rounds / 2 {
                before = (ALLOCATIONS.get(), $connection.stream().reads, $connection.stream().writes);
            }
            $command;
        }
        let stream = $connection.stream();
        (ALLOCATIONS.get() - before.0, stream.reads - before.1, stream.writes - before.2)
    }};
}

#[test]
fn a_command_is_one_write_one_read_and_no_allocation() {
    let server = support::server();
    drop(server.fresh("cost"));
    block_on(async {
        let stream = Calls { stream: server.tcp(), reads: 0, writes: 0 };
        let options = assay_wire::Options { database: Some("cost".into()), ..server.known() };
        let mut connection = Connection::open(stream, &options).await.expect("a connection");
        connection.run("CREATE TABLE t (id INT PRIMARY KEY, c CHAR(120))").await.expect("a table");
        let fill = "INSERT INTO t SELECT seq, REPEAT('c', 100) FROM seq_1_to_100";
        connection.run(fill).await.expect("rows");
        let sql = "SELECT id, c FROM t WHERE id = ? AND c <> ?";
        let template = Template::new(sql);
        let mut point = connection.prepare(sql).await.expect("a statement");
        let mut update = connection.prepare("UPDATE t SET c = ? WHERE id = ?").await.expect("a statement");
        let params = [Param::Int(7), Param::Bytes(b"x")];

        let skim = cost!(connection, 20, {
            connection.execute(&mut point, &params, &mut Discard).await.expect("a row");
        });
        assert_eq!(skim, (0, 10, 10), "execute and skim");
        let mut sum = Sum::default();
        let read = cost!(connection, 20, {
            connection.execute(&mut point, &params, &mut sum).await.expect("a row");
        });
        assert_eq!((read, sum.0), ((0, 10, 10), 20 * 8), "execute and read");
        let write = cost!(connection, 20, {
            let params = [Param::Bytes(b"another text"), Param::Int(7)];
            connection.execute(&mut update, &params, &mut Discard).await.expect("an update");
        });
        assert_eq!(write, (0, 10, 10), "execute and change");
        let mut insert = connection.prepare("INSERT INTO t VALUES (?, 'x')").await.expect("a statement");
        let mut refused = 0;
        let refuse = cost!(connection, 20, {
            let result = connection.execute(&mut insert, &[Param::Int(7)], &mut Discard).await;
            refused += usize::from(result.is_err_and(|error| error.code() == Some(1062)));
        });
        assert_eq!((refuse, refused), ((0, 10, 10), 20), "execute and be refused");
        let text = cost!(connection, 20, {
            connection.query_template(&template, &params, &mut Discard).await.expect("a row");
        });
        assert_eq!(text, (0, 10, 10), "text, skimmed");
        let mut sum = Sum::default();
        let text = cost!(connection, 20, {
            connection.query_template(&template, &params, &mut sum).await.expect("a row");
        });
        assert_eq!(text, (0, 10, 10), "text, read");
    });
}

#[test]
fn an_idle_connection_is_small() {
    let server = support::server();
    let options = server.known();
    // The first one pays for what the thread shares.
    drop(server.connect(&options));
    let before = BYTES.get();
    let mut connection = server.connect(&options);
    let sql = "SELECT c FROM t WHERE id BETWEEN ? AND ?";
    let opened = BYTES.get() - before;
    assert!(opened < 1024, "{opened} bytes after login");
    block_on(async {
        connection.run("CREATE OR REPLACE TABLE t (id INT PRIMARY KEY, c TEXT)").await.expect("a table");
        let long = format!("SELECT '{}' AS c", "x".repeat(100_000));
        connection.query(long.as_bytes(), &mut |_: &Row<'_>| {}).await.expect("a long row");
        connection.run("SELECT 1").await.expect("a row");
    });
    let used = BYTES.get() - before;
    assert!(used < 2048, "{used} bytes after a long question and answer");
    // The columns' definitions are remembered once, however many statements have them.
    let mut statements: Vec<_> = Vec::with_capacity(72);
    let before = BYTES.get();
    for _ in 0..2 {
        let prepared = block_on(connection.prepare_all([sql; 36])).expect("statements");
        statements.extend(prepared.into_iter().map(|one| one.expect("a statement")));
    }
    let kept = BYTES.get() - before;
    assert!(kept < 4096, "{kept} bytes beside 72 statements");
    assert!(size_of::<assay_wire::Prepared>() <= 24);
    assert!(size_of::<assay_wire::Error>() <= 32, "moved with every result");
    assert!(size_of::<Connection<Blocking<std::net::TcpStream>>>() < 512);
}
