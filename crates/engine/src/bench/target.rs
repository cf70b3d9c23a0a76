//! The servers: sysbench's options of the driver as addresses for the engine, and the password's way to it.

use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_format::job::{PsMode, Target, Tls, TlsMode};

use crate::bench::line::{Line, Refusal};

/// Where client libraries look for a server on `localhost`.
const SOCKETS: &[&str] = &["/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/tmp/mysql.sock"];
const PASSWORD: &str = "MYSQL_PWD";
/// The variable in which the lab keeps a password.
const PASSWORD_OF_LAB: &str = "ASSAY_PASSWORD";

/// The addresses of the servers, in the order in which connections take turns. As in sysbench, every host is asked at every
/// port, and sockets go before hosts; in front of each may stand a user of its own. As with client libraries, `localhost`
/// without a port is the server behind the usual socket.
///
/// # Errors
/// A port or a mode of TLS that is none, or no address.
pub(super) fn targets(line: &Line, login_s: f64) -> Result<Vec<Target>, Refusal> {
    let (hosts, mut sockets) = (line.items("mysql-host"), line.items("mysql-socket"));
    let ports = line.items("mysql-port").into_iter().map(port).collect::<Result<Vec<_>, _>>()?;
    if sockets.is_empty() && !line.given.contains_key("mysql-port") && hosts == ["localhost"] {
        sockets.extend(SOCKETS.iter().find(|path| Path::new(path).exists()));
    }
    let first = ports.first().copied().unwrap_or(3306);
    let places: Vec<(&str, u16)> = if sockets.is_empty() {
        hosts.iter().flat_map(|host| ports.iter().map(|port| (*host, *port))).collect()
    } else {
        sockets.iter().map(|socket| (*socket, first)).collect()
    };
    if places.is_empty() {
        let message = "--mysql-host and --mysql-port must name a server";
        return Err(Refusal::hint(message, "leave them out: localhost"));
    }
    let one = |(place, port)| target(line, place, port, !sockets.is_empty(), login_s);
    places.into_iter().map(one).collect()
}

fn target(line: &Line, place: &str, port: u16, is_socket: bool, login_s: f64) -> Result<Target, Refusal> {
    let (own_user, place) = place.rsplit_once('@').unwrap_or(("", place));
    let user = if own_user.is_empty() { line.text("mysql-user") } else { own_user };
    let path = |name: &str| Some(PathBuf::from(line.text(name))).filter(|path| path != Path::new(""));
    let variables = [format!("{PASSWORD}_{user}"), PASSWORD.into(), PASSWORD_OF_LAB.into()];
    Ok(Target {
        socket: is_socket.then(|| place.into()),
        host: if is_socket { line.text("mysql-host") } else { place }.into(),
        port,
        user: user.into(),
        password_env: variables.into_iter().find(|name| env::var(name).is_ok_and(|it| !it.is_empty())),
        database: line.text("mysql-db").into(),
        tls: Tls {
            mode: tls_mode(line.text("mysql-ssl"))?,
            ca: path("mysql-ssl-ca"),
            cert: path("mysql-ssl-cert"),
            key: path("mysql-ssl-key"),
            server_public_key: None,
            get_server_public_key: false,
        },
        ps_mode: match line.text("db-ps-mode") {
            "auto" => PsMode::Auto,
            "disable" => PsMode::Disable,
            other => return Err(Refusal::value("db-ps-mode", other, "auto or disable")),
        },
        server_session: Vec::new(),
        connect_timeout_ms: (login_s * 1000.0).round() as u64,
    })
}

fn port(text: &str) -> Result<u16, Refusal> {
    let port = text.parse::<u16>().ok().filter(|port| *port > 0);
    port.ok_or_else(|| Refusal::value("mysql-port", text, "a port from 1 to 65535"))
}

fn tls_mode(text: &str) -> Result<Option<TlsMode>, Refusal> {
    Ok(Some(match text.to_ascii_lowercase().as_str() {
        "" => return Ok(None),
        "off" | "disabled" => TlsMode::Disabled,
        "preferred" => TlsMode::Preferred,
        "on" | "required" => TlsMode::Required,
        "verify_ca" => TlsMode::VerifyCa,
        "verify_identity" => TlsMode::VerifyIdentity,
        _ => {
            let expected = "on, off, disabled, preferred, required, verify_ca or verify_identity";
            return Err(Refusal::value("mysql-ssl", text, expected));
        }
    }))
}

/// Puts a password that was given into the environment, which only this user can read, in place of the command line, which
/// every user of the machine can: the program starts itself again without it.
///
/// # Errors
/// The program cannot be started again.
pub(super) fn hide_password(line: &Line) -> Result<(), Refusal> {
    let password = line.text("mysql-password");
    if password.is_empty() || env::var(PASSWORD).is_ok_and(|there| there == password) && !is_shown() {
        return Ok(());
    }
    let mut words = env::args_os();
    let mut again = Command::new("/proc/self/exe");
    if let Some(name) = words.next() {
        again.arg0(name);
    }
    let shown = |word: &std::ffi::OsString| is_password(&word.to_string_lossy());
    let error = again.args(words.filter(|word| !shown(word))).env(PASSWORD, password).exec();
    let message = format!("cannot hide the password of --mysql-password: {error}");
    Err(Refusal::hint(message, format!("give it in the variable {PASSWORD}")))
}

fn is_shown() -> bool {
    env::args_os().any(|word| is_password(&word.to_string_lossy()))
}

fn is_password(word: &str) -> bool {
    word.replace('_', "-").starts_with("--mysql-password=")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(words: &str) -> Vec<(Option<PathBuf>, String, u16, String)> {
        let line = Line::read(&words.split(' ').map(str::to_owned).collect::<Vec<_>>()).unwrap();
        let found = targets(&line, 30.0).unwrap();
        found.into_iter().map(|one| (one.socket, one.host, one.port, one.user)).collect()
    }

    #[test]
    fn connections_take_turns_over_hosts_and_ports_and_sockets_go_first() {
        let of = |host: &str, port, user: &str| (None, host.to_owned(), port, user.to_owned());
        assert_eq!(
            places("x --mysql-host=a,report@b --mysql-port=1,2"),
            [of("a", 1, "sbtest"), of("a", 2, "sbtest"), of("b", 1, "report"), of("b", 2, "report")]
        );
        let sockets = places("x --mysql-socket=/a,/b --mysql-user=u");
        assert_eq!(sockets.len(), 2);
        assert_eq!(sockets[1], (Some("/b".into()), "localhost".into(), 3306, "u".into()));
        let line = Line::read(&["--mysql-ssl=maybe".into()]).unwrap();
        assert!(targets(&line, 1.0).unwrap_err().hint.unwrap().contains("verify_identity"));
    }
}
