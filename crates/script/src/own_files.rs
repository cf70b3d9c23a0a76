//! The files that a script came with: found by the names that it gives them, without a file system.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Texts by path, and the folder of the script, which is where they are looked for second.
pub(crate) struct OwnFiles {
    texts: Arc<BTreeMap<String, String>>,
    folder: String,
}

impl OwnFiles {
    pub(crate) fn new(texts: &Arc<BTreeMap<String, String>>, script: &str) -> Self {
        let folder = script.rfind('/').map_or("", |end| &script[..=end]);
        Self { texts: texts.clone(), folder: folder.to_owned() }
    }

    /// The text of a file, and its path.
    pub(crate) fn file(&self, path: Option<String>) -> Option<(String, String)> {
        let path = path?;
        let path = path.trim_start_matches("./");
        let paths = [path.to_owned(), format!("{}{path}", self.folder)];
        paths.into_iter().find_map(|path| Some((self.texts.get(&path)?.clone(), path)))
    }

    /// The text of a module, and the path of its file.
    pub(crate) fn module(&self, name: &str) -> Option<(String, String)> {
        let name = name.replace('.', "/");
        [format!("{name}.lua"), format!("{name}/init.lua")].into_iter().find_map(|path| self.file(Some(path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_from_the_root_and_from_the_folder_of_the_script() {
        let texts =
            ["a/common.lua", "top.lua", "a/kit/init.lua"].map(|path| (path.to_owned(), path.to_owned()));
        let own = OwnFiles::new(&Arc::new(texts.into()), "a/script.lua");
        let path = |found: Option<(String, String)>| found.map(|(_, path)| path).unwrap_or_default();
        assert_eq!(path(own.module("common")), "a/common.lua");
        assert_eq!(path(own.module("a.common")), "a/common.lua");
        assert_eq!(path(own.module("kit")), "a/kit/init.lua");
        assert_eq!(path(own.file(Some("./top.lua".into()))), "top.lua");
        assert_eq!(path(own.file(Some("nowhere.lua".into()))), "");
        assert_eq!(path(own.file(None)), "");
    }
}
