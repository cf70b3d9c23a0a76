//! Connected sockets, both ends of each.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

use crate::Transport;

/// The clients' and the servers' ends of `count` connections; none of them blocks.
pub(crate) fn connect(transport: Transport, count: u32) -> io::Result<(Vec<OwnedFd>, Vec<OwnedFd>)> {
    let (mut clients, mut servers) = (Vec::new(), Vec::new());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    for _ in 0..count {
        let (client, server): (OwnedFd, OwnedFd) = match transport {
            Transport::Unix => {
                let (client, server) = UnixStream::pair()?;
                client.set_nonblocking(true)?;
                server.set_nonblocking(true)?;
                (client.into(), server.into())
            }
            Transport::Tcp => {
                let client = TcpStream::connect(address)?;
                let (server, _) = listener.accept()?;
                for end in [&client, &server] {
                    end.set_nodelay(true)?;
                    end.set_nonblocking(true)?;
                }
                (client.into(), server.into())
            }
        };
        clients.push(client);
        servers.push(server);
    }
    Ok((clients, servers))
}
