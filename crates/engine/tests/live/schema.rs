//! The schemas in `schema/` are those of the types.

use std::path::Path;
use std::process::Command;

#[test]
fn schemas_are_current() {
    for shape in ["job", "event", "input"] {
        let output = Command::new(env!("CARGO_BIN_EXE_assay-engine")).args(["schema", shape]).output();
        let generated = String::from_utf8(output.expect("the engine runs").stdout).expect("text");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../schema/{shape}.json"));
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(kept, generated, "schema/{shape}.json is old: run `make schema`");
    }
}
