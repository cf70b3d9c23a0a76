//! Texts of SQL as people write them: tokens, statements, named parameters, annotations in comments. No grammar of SQL, no
//! server, and no limit on what a server may understand: what this crate must know of a text is where things begin and end.

mod names;
mod split;
mod token;

pub use crate::names::{Named, NamedText, named};
pub use crate::split::{Lines, Piece, Pieces, Place};
pub use crate::token::{Kind, Token, Tokens};
