//! Refusals of a server: the ERR packet. Some loads meet one in every tenth statement, and only count it: a refusal
//! allocates nothing once its thread has met another.

use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;

use crate::error::Error;
use crate::printable::{MESSAGE_BYTES, put_printable};

/// An error as the server reports it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServerError {
    /// The server's number of the error, such as 1062 for a duplicate key.
    pub code: u16,
    pub state: SqlState,
    pub message: Message,
}

impl ServerError {
    /// A refusal as a server would send it, for tests of what hears refusals.
    #[must_use]
    pub fn new(code: u16, state: &str, message: &str) -> Self {
        Self { code, state: SqlState::new(state.as_bytes()), message: Message::new(message.as_bytes()) }
    }

    /// The payload of an ERR packet, its first byte (0xFF) included. Before the handshake servers send no SQLSTATE.
    pub(crate) fn parse(payload: &[u8]) -> Result<Self, Error> {
        let [0xFF, low, high, rest @ ..] = payload else {
            return Err(Error::malformed("ERR packet"));
        };
        let (state, message) = match rest {
            [b'#', rest @ ..] if rest.len() >= SqlState::LENGTH => rest.split_at(SqlState::LENGTH),
            rest => (b"HY000".as_slice(), rest),
        };
        Ok(Self {
            code: u16::from_le_bytes([*low, *high]),
            state: SqlState::new(state),
            message: Message::new(message),
        })
    }

    /// Whether the server closes the connection after this error.
    pub(crate) fn ends_connection(&self) -> bool {
        matches!(
            self.code,
            1053 // ER_SERVER_SHUTDOWN
            | 1080 // ER_FORCING_CLOSE
            | 1152 // ER_ABORTING_CONNECTION
            | 1153 // ER_NET_PACKET_TOO_LARGE
            | 1158
                ..=1161 // ER_NET_READ_ERROR ... ER_NET_WRITE_INTERRUPTED
            | 1184 // ER_NEW_ABORTING_CONNECTION
            | 1927 // ER_CONNECTION_KILLED, MariaDB
            | 3169 // ER_SESSION_WAS_KILLED, MySQL
            | 4031 // ER_CLIENT_INTERACTION_TIMEOUT, MySQL
        )
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "server error {} ({}): {}", self.code, self.state, self.message)
    }
}

impl std::error::Error for ServerError {}

/// SQLSTATE of an error, five characters; `HY000` when the server sent none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SqlState([u8; Self::LENGTH]);

impl SqlState {
    const LENGTH: usize = 5;

    /// The first five characters; what is no visible ASCII character, or is missing, becomes `?`.
    fn new(text: &[u8]) -> Self {
        let mut state = [b'?'; Self::LENGTH];
        for (place, byte) in state.iter_mut().zip(text).filter(|(_, byte)| byte.is_ascii_graphic()) {
            *place = *byte;
        }
        Self(state)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// Text of a server's error, fit to be shown: control characters are escaped, and it is cut at 4 kB.
///
/// Its memory is the thread's: a message that is dropped leaves it to the next one.
#[derive(PartialEq, Eq, Hash)]
pub struct Message(String);

/// Dropped messages whose memory a thread keeps, and the bytes that each of them may hold.
const SPARE_MESSAGES: usize = 16;
const SPARE_BYTES: usize = 1024;

thread_local! {
    static SPARE: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

impl Message {
    fn new(text: &[u8]) -> Self {
        let mut out = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
        out.clear();
        put_printable(text, MESSAGE_BYTES, &mut out);
        Self(out)
    }
}

impl Drop for Message {
    fn drop(&mut self) {
        let text = std::mem::take(&mut self.0);
        if text.capacity() == 0 || text.capacity() > SPARE_BYTES {
            return;
        }
        // A thread that is ending has no spare room any more.
        let _ = SPARE.try_with(|spare| {
            if let Ok(mut spare) = spare.try_borrow_mut()
                && spare.len() < SPARE_MESSAGES
            {
                spare.push(text);
            }
        });
    }
}

impl Clone for Message {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_err_packet_with_and_without_a_state() {
        let error = ServerError::parse(b"\xFF\x26\x04#23000Duplicate entry").expect("an error");
        assert_eq!(error, ServerError::new(1062, "23000", "Duplicate entry"));
        assert_eq!(error.to_string(), "server error 1062 (23000): Duplicate entry");
        let error = ServerError::parse(b"\xFF\x10\x04Too many").expect("an error");
        assert_eq!(error, ServerError::new(1040, "HY000", "Too many"));
        assert!(ServerError::parse(b"\xFF\x10").is_err());
    }

    #[test]
    fn a_state_is_five_visible_characters() {
        for (sent, shown) in
            [("23000", "23000"), ("2\x1B[0m", "2?[0m"), ("2", "2????"), ("\u{202E}é", "?????")]
        {
            assert_eq!(SqlState::new(sent.as_bytes()).as_str(), shown);
        }
    }

    #[test]
    fn a_message_leaves_its_memory_to_the_next() {
        let first = Message::new(b"a message that is longer than the next");
        let place = first.as_ptr();
        drop(first);
        let second = Message::new(b"the next");
        assert_eq!((second.as_ptr(), &*second), (place, "the next"));
        drop(Message::new(&[b'x'; 2 * SPARE_BYTES]));
        assert!(SPARE.with_borrow(Vec::is_empty), "long ones are not kept");
    }
}
