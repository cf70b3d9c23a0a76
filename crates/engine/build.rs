//! Tells the engine how it is compiled, so that results say which build measured.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=ASSAY_BUILD={}", build());
    for name in ["OPT_LEVEL", "TARGET"] {
        println!("cargo::rustc-env=ASSAY_{name}={}", env::var(name).expect("cargo sets it"));
    }
}

/// The kind of build, worst first: each of them would measure more of itself than the next.
///
/// Cargo does not tell a profile's name, and a name could be given to anything: what the compiler is asked for decides.
fn build() -> &'static str {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    if env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some() {
        "debug"
    } else if env::var("OPT_LEVEL").is_ok_and(|level| level != "3") || flags.contains("profile-generate") {
        "quick"
    } else if flags.contains("profile-use") {
        "profile-guided"
    } else {
        "release"
    }
}
