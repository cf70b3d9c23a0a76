//! What servers answer: packets put together to the outcome of a command.

mod ok;
mod prepared;
mod result;

pub(crate) use ok::{OkAnswer, OkPacket};
pub(crate) use prepared::PreparedAnswer;
pub(crate) use result::{Kind, Metadata, ResultAnswer};

/// Header bytes of packets that end something.
pub(crate) const OK: u8 = 0x00;
pub(crate) const LOCAL_INFILE: u8 = 0xFB;
pub(crate) const EOF: u8 = 0xFE;
pub(crate) const ERR: u8 = 0xFF;

/// An old EOF packet is shorter than this; a row may begin with the same byte but is longer.
pub(crate) const EOF_LIMIT: usize = 9;

/// Columns that a result of MySQL or MariaDB may have.
pub(crate) const MAX_COLUMNS: u64 = 4096;
