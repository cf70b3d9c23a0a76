//! Stands between the engine and a null server: writes down what is sent, and may swallow one command.

use std::hash::{DefaultHasher, Hasher};
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;

use super::null::Null;

/// Hashes of the statements of each connection, in order.
type Streams = Arc<Mutex<Vec<Vec<u64>>>>;

pub(crate) struct Proxy {
    socket: PathBuf,
    streams: Streams,
}

impl Proxy {
    /// Listens; its threads end with the test.
    pub(crate) fn before(null: &Null, swallow: Option<u8>) -> Self {
        let socket = null.dir.path().join("proxy.sock");
        let listener = UnixListener::bind(&socket).expect("a socket");
        let streams = Streams::default();
        let (target, kept) = (null.socket(), streams.clone());
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = UnixStream::connect(&target) else { return };
                let number = {
                    let mut streams = kept.lock().expect("no panic");
                    streams.push(Vec::new());
                    streams.len() - 1
                };
                let (back, forth) =
                    (server.try_clone().expect("a copy"), client.try_clone().expect("a copy"));
                thread::spawn(move || copy(back, forth));
                let kept = kept.clone();
                thread::spawn(move || listen(client, server, &kept, number, swallow));
            }
        });
        Self { socket, streams }
    }

    pub(crate) fn socket(&self) -> &PathBuf {
        &self.socket
    }

    /// What was sent on each connection of the load: those that sent more than the questions around it.
    pub(crate) fn streams(&self) -> Vec<Vec<u64>> {
        const QUESTIONS: usize = 8;
        let streams = self.streams.lock().expect("no panic");
        streams.iter().filter(|stream| stream.len() > QUESTIONS).cloned().collect()
    }
}

fn copy(mut from: UnixStream, mut to: UnixStream) {
    let _ = std::io::copy(&mut from, &mut to);
    let _ = to.shutdown(std::net::Shutdown::Both);
}

/// Client to server, packet by packet.
fn listen(
    mut client: UnixStream,
    mut server: UnixStream,
    kept: &Streams,
    number: usize,
    swallow: Option<u8>,
) {
    let mut head = [0; 4];
    while client.read_exact(&mut head).is_ok() {
        let mut payload = vec![0; u32::from_le_bytes([head[0], head[1], head[2], 0]) as usize];
        if client.read_exact(&mut payload).is_err() {
            break;
        }
        let command = payload.first().copied().filter(|_| head[3] == 0);
        if command.is_some() && command == swallow {
            continue;
        }
        // COM_QUERY and COM_STMT_EXECUTE.
        if matches!(command, Some(0x03 | 0x17)) {
            let mut hasher = DefaultHasher::new();
            hasher.write(&payload);
            kept.lock().expect("no panic")[number].push(hasher.finish());
        }
        if server.write_all(&head).and_then(|()| server.write_all(&payload)).is_err() {
            break;
        }
    }
    let _ = server.shutdown(std::net::Shutdown::Both);
}
