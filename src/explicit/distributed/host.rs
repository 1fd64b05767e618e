//! A process by its address.

use std::fmt::{Display, Formatter};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};

/// Where a process listens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    /// Its name or address; that of IPv6 without brackets.
    pub name: String,
    /// Its port.
    pub port: u16,
}

impl Display for Host {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self.name.contains(':') {
            true => write!(f, "[{}]:{}", self.name, self.port),
            false => write!(f, "{}:{}", self.name, self.port),
        }
    }
}

impl Host {
    /// From `host:port`.
    pub(super) fn of(text: &str) -> Result<Host, &'static str> {
        let (name, port) = text.rsplit_once(':').ok_or("there is no port")?;
        let port = port.parse().ok().filter(|&port| port > 0).ok_or("the port is no number from 1 to 65535")?;
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        if name.is_empty() || name.contains(char::is_whitespace) || bare.is_none() && name.contains(':') {
            return Err("the host is no name and no address");
        }
        Ok(Host { name: bare.unwrap_or(name).to_owned(), port })
    }

    /// Its addresses.
    pub(super) fn addresses(&self) -> io::Result<Vec<SocketAddr>> {
        let addresses: Vec<SocketAddr> = (&*self.name, self.port).to_socket_addrs()?.collect();
        match addresses.is_empty() {
            true => Err(io::Error::new(io::ErrorKind::NotFound, "it has no address")),
            false => Ok(addresses),
        }
    }
}
