//! Parameters of a statement.

/// A value for one `?`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Param<'a> {
    Null,
    Int(i64),
    UInt(u64),
    Double(f64),
    Bytes(&'a [u8]),
}
