//! The server, spoken to: in this process, and as a program.

mod binary;
mod client;
mod faults;
mod protocol;
