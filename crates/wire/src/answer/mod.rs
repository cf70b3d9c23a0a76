//! Parsers of answers: packets put together to the outcome of a command.

mod ok;
mod prepared;
mod result;

pub(crate) use ok::{OkAnswer, OkPacket};
pub(crate) use prepared::PreparedAnswer;
pub(crate) use result::{Metadata, ResultAnswer, ResultKind};

/// First byte of an OK packet.
pub(crate) const OK: u8 = 0x00;
/// First byte of a request for a local file.
pub(crate) const LOCAL_INFILE: u8 = 0xFB;
/// First byte of an EOF packet, and of the OK packet at the end of rows.
pub(crate) const EOF: u8 = 0xFE;
/// First byte of an ERR packet.
pub(crate) const ERR: u8 = 0xFF;

/// Length, in bytes, that an old EOF packet stays below; a row that begins with its first byte is longer.
pub(crate) const EOF_LIMIT: usize = 9;

/// Most columns that a result of MySQL or MariaDB may have.
pub(crate) const MAX_COLUMNS: u64 = 4096;
