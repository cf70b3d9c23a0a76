//! Texts of SQL as people write them: tokens, statements, named parameters, annotations in comments, shapes without values, logs of
//! servers. No grammar of SQL, no server, and no limit on what a server may understand: what this crate must know of a text is where
//! things begin and end.

mod fold;
mod letters;
pub mod log;
mod made;
mod names;
mod shape;
mod split;
mod stream;
mod token;
mod value;
mod words;

pub use crate::letters::{Letters, Pairs};
pub use crate::made::uses_made;
pub use crate::names::{Named, NamedText, named};
pub use crate::shape::{Part, Shape};
pub use crate::split::{Lines, Piece, Pieces, Place};
pub use crate::stream::{Stream, Streamed};
pub use crate::token::{Kind, Opened, Token, Tokens};
pub use crate::value::Literal;
