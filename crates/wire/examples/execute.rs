//! Executes a prepared statement over and over, for a profiler:
//! `valgrind --tool=callgrind target/release/examples/execute SOCKET ROUNDS`
//!
//! The difference of two numbers of rounds is the cost of an execution.

use assay_wire::{Blocking, Connection, Discard, Options, Param, block_on};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let socket = arguments.next().ok_or("give a socket")?;
    let rounds: i64 = arguments.next().ok_or("give a number of rounds")?.parse()?;
    let stream = std::os::unix::net::UnixStream::connect(socket)?;
    let options = Options { user: "root".into(), local: true, ..Options::default() };
    block_on(async {
        let mut connection = Connection::open(Blocking(stream), &options).await?;
        // A row like sysbench's, without a table: what the server does is not looked at.
        let sql = "SELECT REPEAT('c', 119) FROM seq_1_to_100 WHERE seq = ?";
        connection.set_database("mysql").await?;
        let mut select = connection.prepare(sql).await?;
        for round in 0..rounds {
            connection.execute(&mut select, &[Param::Int(round % 100 + 1)], &mut Discard).await?;
        }
        Ok(())
    })
}
