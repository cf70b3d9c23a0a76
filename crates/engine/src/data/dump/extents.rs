//! Where rows stand in files that are not packed, so that each connection reads its own: rows of one table, in order, by one
//! connection where there are tables enough, because connections that fill one index wait for each other.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::data::dump::batch::{Batch, Part};
use crate::data::dump::seen::{FileState, changed, unreadable};
use crate::process::failure::Fatal;
use crate::process::poison::unpoisoned;
use crate::process::signal;

/// Statements that are kept in any case, and bytes of a statement on average where there are more: a list of short ones would
/// fill the memory.
const KEPT: usize = 1 << 16;
const BYTES_OF_KEPT: u64 = 4 << 10;
/// Bytes between two statements that are read with them.
const GAP_MOST: u64 = 4 << 10;

/// A file that is not packed.
#[derive(Debug)]
struct PlainFile {
    path: PathBuf,
    /// The name in messages.
    name: Arc<str>,
    /// Its state when its statements were noted; `None`: nobody could say.
    state: Option<FileState>,
}

/// A statement of rows in a file.
#[derive(Debug, Clone)]
struct Extent {
    file: Arc<PlainFile>,
    at: u64,
    bytes: u64,
    line: u64,
}

impl Extent {
    fn end(&self) -> u64 {
        self.at + self.bytes
    }
}

/// The statements of rows of a dump, by table, in order.
#[derive(Debug, Default)]
pub(super) struct Extents {
    by_table: BTreeMap<Arc<str>, VecDeque<Extent>>,
    last_file: Option<Arc<PlainFile>>,
    count: usize,
    bytes: u64,
    is_partial: bool,
}

impl Extents {
    /// Notes a statement of rows. `in_file`: the file and the statement's offset, where it can be read there.
    pub(super) fn add(
        &mut self,
        table: &str,
        in_file: Option<(&Path, u64)>,
        bytes: usize,
        place: (&str, u64),
    ) {
        let Some((path, at)) = in_file.filter(|_| !self.is_partial) else { return self.give_up() };
        let (name, line) = place;
        let file = match &self.last_file {
            Some(file) if file.path == path && *file.name == *name => file.clone(),
            _ => {
                let state = path.metadata().ok().as_ref().map(FileState::of);
                let file = Arc::new(PlainFile { path: path.to_owned(), name: name.into(), state });
                self.last_file.insert(file).clone()
            }
        };
        let extent = Extent { file, at, bytes: bytes as u64, line };
        (self.count, self.bytes) = (self.count + 1, self.bytes + extent.bytes);
        match self.by_table.get_mut(table) {
            Some(list) => list.push_back(extent),
            None => drop(self.by_table.insert(table.into(), VecDeque::from([extent]))),
        }
        if self.count > KEPT && self.count as u64 > self.bytes / BYTES_OF_KEPT {
            self.give_up();
        }
    }

    /// Some rows cannot be read where they lie: none are.
    pub(super) fn give_up(&mut self) {
        *self = Self { is_partial: true, ..Self::default() };
    }

    /// The rows, to be shared out among connections; `None`: they have to be read from the files' beginnings.
    pub(super) fn shares(self, connections: usize) -> Option<Shares> {
        let mut waiting: Vec<Share> = self
            .by_table
            .into_iter()
            .map(|(table, list)| Share { table, bytes: list.iter().map(|one| one.bytes).sum(), list })
            .collect();
        waiting.sort_by_key(|share| share.bytes);
        let held = std::iter::repeat_with(|| None).take(connections).collect();
        (!waiting.is_empty()).then(|| Shares(Mutex::new(State { waiting, held })))
    }
}

/// Statements of one table that one connection sends.
#[derive(Debug)]
struct Share {
    table: Arc<str>,
    bytes: u64,
    list: VecDeque<Extent>,
}

impl Share {
    /// Takes statements that lie beside each other from the front, so many bytes at least where there are as many.
    fn take(&mut self, least: u64) -> Option<Vec<Extent>> {
        let mut taken = vec![self.list.pop_front()?];
        while let (Some(last), Some(next)) = (taken.last(), self.list.front()) {
            let is_beside = Arc::ptr_eq(&last.file, &next.file)
                && next.at >= last.end()
                && next.at - last.end() <= GAP_MOST;
            if !is_beside || last.end() - taken[0].at >= least {
                break;
            }
            taken.extend(self.list.pop_front());
        }
        self.bytes -= taken.iter().map(|one| one.bytes).sum::<u64>();
        Some(taken)
    }

    /// Leaves the first half of the bytes, and returns the rest; `None`: there are no two statements.
    fn halve(&mut self) -> Option<Self> {
        let mut left = 0;
        let kept = self.list.iter().take_while(|one| {
            left += one.bytes;
            left <= self.bytes / 2
        });
        let kept = kept.count().max(1);
        if kept >= self.list.len() {
            return None;
        }
        let list = self.list.split_off(kept);
        let bytes = list.iter().map(|one| one.bytes).sum();
        self.bytes -= bytes;
        Some(Self { table: self.table.clone(), bytes, list })
    }
}

/// Rows that wait for connections, and those that each is about to send.
pub(super) struct Shares(Mutex<State>);

struct State {
    /// The largest last.
    waiting: Vec<Share>,
    held: Vec<Option<Share>>,
}

impl Shares {
    /// What a connection sends next: more of its table, then the largest table that nobody has begun, then half of what
    /// another has left. `None`: there is no more, or a signal came.
    ///
    /// # Errors
    /// The file cannot be read, or is another than before.
    pub(super) fn take(&self, connection: usize, least: u64) -> Result<Option<Batch>, Fatal> {
        loop {
            if signal::received() {
                return Ok(None);
            }
            let mut state = unpoisoned(self.0.lock());
            let found = state.held[connection].as_mut().and_then(|share| {
                let taken = share.take(least)?;
                Some((share.table.clone(), taken))
            });
            if let Some((table, taken)) = found {
                drop(state);
                return read(&table, taken).map(Some);
            }
            let next = state.waiting.pop().or_else(|| {
                let others = state.held.iter_mut().flatten();
                others.max_by_key(|share| share.bytes).and_then(Share::halve)
            });
            if next.is_none() {
                return Ok(None);
            }
            state.held[connection] = next;
        }
    }
}

/// Reads statements that lie beside each other.
fn read(table: &Arc<str>, taken: Vec<Extent>) -> Result<Batch, Fatal> {
    let (Some(first), Some(last)) = (taken.first(), taken.last()) else {
        return Ok(Batch::Statements { text: Vec::new(), list: Vec::new() });
    };
    let (file, from) = (first.file.clone(), first.at);
    let mut text = vec![0; usize::try_from(last.end() - from).unwrap_or(usize::MAX)];
    let filled = File::open(&file.path).and_then(|opened| {
        if Some(FileState::of(&opened.metadata()?)) != file.state {
            return Ok(false);
        }
        opened.read_exact_at(&mut text, from).map(|()| true)
    });
    if !filled.map_err(|error| unreadable(&file.name, &error))? {
        return Err(changed(&file.name));
    }
    let offset = |at: u64| usize::try_from(at - from).unwrap_or(usize::MAX);
    let part = |extent: Extent| Part {
        from: offset(extent.at),
        to: offset(extent.end()),
        file: file.name.clone(),
        line: extent.line,
        table: table.clone(),
        untried: false,
    };
    let list = taken.into_iter().map(part).collect();
    Ok(Batch::Statements { text, list })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tables in one file: `a` has statements of 10 bytes, `b` one of 25.
    fn extents(file: &Path) -> Extents {
        let mut extents = Extents::default();
        for (table, at, bytes) in [("a", 0, 10), ("a", 12, 10), ("a", 24, 10), ("b", 36, 25), ("a", 63, 10)] {
            extents.add(table, Some((file, at)), bytes, ("x.sql", at));
        }
        extents
    }

    /// The lines at which the statements of a batch begin, with their table.
    fn lines(taken: Result<Option<Batch>, Fatal>) -> Option<String> {
        let Some(Batch::Statements { text, list }) = taken.expect("readable") else { return None };
        assert!(list.iter().all(|part| text[part.from..part.to].iter().all(|byte| *byte == b'x')));
        let words: Vec<String> = list.iter().map(|part| format!("{}{}", part.table, part.line)).collect();
        Some(words.join(" "))
    }

    #[test]
    fn the_largest_table_comes_first_and_who_is_done_takes_half_of_what_another_has_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x.sql");
        std::fs::write(&file, [b'x'; 80]).expect("written");
        let shares = extents(&file).shares(2).expect("whole");
        assert_eq!(lines(shares.take(0, 10)).as_deref(), Some("a0"));
        assert_eq!(lines(shares.take(1, 10)).as_deref(), Some("b36"));
        assert_eq!(lines(shares.take(1, 10)).as_deref(), Some("a24"));
        assert_eq!(lines(shares.take(0, 10)).as_deref(), Some("a12"));
        assert_eq!(lines(shares.take(0, 10)), None);
        assert_eq!(lines(shares.take(1, 10)).as_deref(), Some("a63"));
        assert_eq!(lines(shares.take(1, 10)), None);

        let alone = extents(&file).shares(1).expect("whole");
        let all: Vec<String> = std::iter::from_fn(|| lines(alone.take(0, 1000))).collect();
        assert_eq!(all, ["a0 a12 a24 a63", "b36"]);
    }

    #[test]
    fn rows_that_cannot_be_read_where_they_stand_are_not_shared_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x.sql");
        std::fs::write(&file, [b'x'; 40]).expect("written");
        let shares = extents(&file).shares(1).expect("whole");
        assert_eq!(lines(shares.take(0, 24)).as_deref(), Some("a0 a12 a24"));
        std::fs::write(&file, "").expect("written");
        let Err(refused) = shares.take(0, 24) else { panic!("the file is shorter than it was") };
        assert!(refused.message.starts_with("cannot read x.sql: "), "{}", refused.message);

        std::fs::write(&file, [b'x'; 80]).expect("written");
        let shares = extents(&file).shares(1).expect("whole");
        let long_ago = std::time::SystemTime::UNIX_EPOCH;
        File::options().write(true).open(&file).and_then(|file| file.set_modified(long_ago)).expect("dated");
        let Err(refused) = shares.take(0, 24) else { panic!("the file is another of the same length") };
        assert!(refused.message.ends_with("it has changed since it was read first"), "{}", refused.message);

        let mut packed = extents(&file);
        packed.add("c", None, 10, ("y.sql.gz", 1));
        packed.add("a", Some((file.as_path(), 80)), 10, ("x.sql", 80));
        assert!(packed.shares(2).is_none());
        let mut many = Extents::default();
        (0..=KEPT).for_each(|at| many.add("a", Some((file.as_path(), at as u64)), 1, ("x.sql", 1)));
        assert!(many.shares(2).is_none());
    }
}
