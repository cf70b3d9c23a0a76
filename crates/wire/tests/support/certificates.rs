//! Certificates made for the test run with the `openssl` program.

use std::path::Path;
use std::process::Command;

use super::run;

/// Writes into `directory`: `ca.pem`, `server.pem` and `client.pem` signed by it, `stranger.pem` (another authority),
/// and the keys beside them (`…-key.pem`).
pub(crate) fn make(directory: &Path, server_name: &str) {
    for authority in ["ca", "stranger"] {
        run(request(directory, authority).args(["-addext", "keyUsage=critical,keyCertSign,cRLSign"]));
    }
    for (name, alternative) in [("server", server_name), ("client", "client.assay.test")] {
        run(request(directory, name)
            .arg("-CA")
            .arg(directory.join("ca.pem"))
            .arg("-CAkey")
            .arg(directory.join("ca-key.pem"))
            .args(["-addext", &format!("subjectAltName=DNS:{alternative}")])
            .args(["-addext", "basicConstraints=critical,CA:FALSE"]));
    }
}

fn request(directory: &Path, name: &str) -> Command {
    let mut command = Command::new("openssl");
    command
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
        ])
        .args(["-subj", &format!("/CN=Assay {name}")])
        .arg("-keyout")
        .arg(directory.join(format!("{name}-key.pem")))
        .arg("-out")
        .arg(directory.join(format!("{name}.pem")));
    command
}
