//! The scripts that come with the program, by the names that sysbench's have.

/// Makes a list of names with the texts of their files.
macro_rules! scripts {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("lua/bundled/", $name, ".lua")))),+]
    };
}

const SCRIPTS: &[(&str, &str)] = scripts![
    "bulk_insert",
    "oltp_common",
    "oltp_delete",
    "oltp_insert",
    "oltp_point_select",
    "oltp_read_only",
    "oltp_read_write",
    "oltp_update_index",
    "oltp_update_non_index",
    "oltp_write_only",
    "select_random_points",
    "select_random_ranges",
];

/// The text of a script that comes with the program, by the name that `require` knows.
pub fn bundled(name: &str) -> Option<&'static str> {
    SCRIPTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The names of the scripts that come with the program and can be run; `oltp_common` is a module of theirs.
pub fn bundled_names() -> impl Iterator<Item = &'static str> {
    SCRIPTS.iter().map(|(name, _)| *name).filter(|name| *name != "oltp_common")
}
