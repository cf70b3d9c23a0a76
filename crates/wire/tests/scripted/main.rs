//! Against a peer that plays a server byte by byte: what the MariaDB of the live tests cannot be brought to say.

mod answers;
mod auth;
mod chunks;
mod fuzz;
mod handshake;
mod peer;
mod tls;
