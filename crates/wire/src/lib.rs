//! MySQL client protocol: packets, authentication, commands, TLS. Usable alone.
//!
//! A [`Connection`] runs over any [`Stream`]: an event loop brings its own, [`Blocking`] wraps those of the standard
//! library.
//!
//! ```no_run
//! use assay_wire::{Blocking, Connection, Discard, Options, Param, Row, block_on};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let stream = std::os::unix::net::UnixStream::connect("/run/mysqld/mysqld.sock")?;
//! let options = Options { user: "root".into(), local: true, ..Options::default() };
//! block_on(async {
//!     let mut connection = Connection::open(Blocking(stream), &options).await?;
//!     connection.query(b"SET autocommit = 1", &mut Discard).await?;
//!     let mut statement = connection.prepare("SELECT id FROM t WHERE k = ?").await?;
//!     let mut show = |row: &Row<'_>| assert!(row.int(0).is_some());
//!     let outcome = connection.execute(&mut statement, &[Param::Int(7)], &mut show).await?;
//!     assert!(outcome.result_set);
//!     Ok(())
//! })
//! # }
//! ```
//!
//! Cost of the hot path, executing a prepared statement and skimming its rows: one write, one read, no allocation, no
//! lock. An idle connection keeps no read buffer: all connections of a thread share one.

// Lengths here are a server's word: each cast that could cut one says why it does not.
#![warn(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss
)]

mod answer;
mod auth;
mod columns;
mod command;
mod connection;
mod error;
mod greeting;
mod handshake;
mod inbox;
mod link;
mod options;
mod outbox;
mod outcome;
mod param;
mod prepared;
mod printable;
mod reader;
mod row;
mod scratch;
mod server;
mod server_error;
mod statement;
mod stream;
mod template;
mod tls;
mod value;

pub use mysql_common::constants::{CapabilityFlags, MariadbCapabilities};

pub use crate::command::bulk::BulkRows;
pub use crate::connection::Connection;
pub use crate::error::Error;
pub use crate::options::Options;
pub use crate::outcome::Outcome;
pub use crate::param::Param;
pub use crate::prepared::Prepared;
pub use crate::printable::printable;
pub use crate::row::{Column, ColumnFlags, ColumnType, Discard, Row, Rows};
pub use crate::server::{Flavour, ServerInfo, TlsInfo};
pub use crate::server_error::{Message, ServerError, SqlState};
pub use crate::stream::{Blocking, Stream, block_on};
pub use crate::template::{Template, interpolate};
pub use crate::tls::{TlsFiles, TlsMode, TlsOptions};
pub use crate::value::{Date, Time, Value};
