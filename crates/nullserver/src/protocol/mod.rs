//! MySQL's protocol from the server's side, as bytes in and bytes out (MySQL Internals, "Client/Server Protocol").

pub(crate) mod answers;
pub(crate) mod catalogue;
pub(crate) mod handshake;
pub(crate) mod misdeed;
pub(crate) mod packet;
pub(crate) mod prepared;
pub(crate) mod reply;
pub(crate) mod session;
pub(crate) mod statement;
pub(crate) mod table;
