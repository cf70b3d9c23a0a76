//! The three tables, and the notes.

use crate::linkbench::links::FIRST_TYPE;
use crate::linkbench::options::Options;

/// Numbers of the tables.
pub(crate) const LINKS: usize = 0;
pub(crate) const COUNTS: usize = 1;
pub(crate) const NODES: usize = 2;

pub(crate) const NOTES_NAME: &str = "assay_linkbench";
pub(crate) const NAMES: [&str; 4] = ["linktable", "counttable", "nodetable", NOTES_NAME];

/// Ids whose links, counts or nodes are loaded in one transaction.
pub(crate) const CHUNK_IDS: u64 = 2048;

pub(crate) fn create(table: usize, options: &Options, storage: &str) -> String {
    let big = "BIGINT UNSIGNED NOT NULL DEFAULT 0";
    let columns = match table {
        LINKS => format!(
            "id1 {big}, id2 {big}, link_type {big}, visibility TINYINT NOT NULL DEFAULT 0, \
             data VARCHAR(255) NOT NULL DEFAULT '', time {big}, version INT UNSIGNED NOT NULL DEFAULT 0, \
             PRIMARY KEY (link_type, id1, id2)"
        ),
        COUNTS => format!(
            "id {big}, link_type {big}, count INT UNSIGNED NOT NULL DEFAULT 0, time {big}, version {big}, \
             PRIMARY KEY (id, link_type)"
        ),
        NODES => "id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, type INT UNSIGNED NOT NULL, \
                  version BIGINT UNSIGNED NOT NULL, time INT UNSIGNED NOT NULL, data MEDIUMTEXT NOT NULL, \
                  PRIMARY KEY (id)"
            .into(),
        _ => "name VARCHAR(32) NOT NULL, value VARCHAR(64) NOT NULL, PRIMARY KEY (name)".into(),
    };
    let partitions = match options.partitions {
        parts if parts > 0 && table == LINKS => format!(" PARTITION BY KEY (id1) PARTITIONS {parts}"),
        _ => String::new(),
    };
    format!("CREATE TABLE {} ({columns}) {storage} DEFAULT CHARSET = latin1{partitions}", NAMES[table])
}

/// Names of the columns that are loaded.
pub(crate) fn columns(table: usize) -> &'static str {
    match table {
        LINKS => "id1, id2, link_type, visibility, data, time, version",
        COUNTS => "id, link_type, count, time, version",
        NODES => "id, type, version, time, data",
        _ => "name, value",
    }
}

/// The index that lists are read by, made after the rows.
pub(crate) fn indexes(table: usize) -> Vec<String> {
    let columns = "id1, link_type, visibility, time, id2, version, data";
    match table {
        LINKS => vec![format!("CREATE INDEX id1_type ON linktable ({columns})")],
        _ => Vec::new(),
    }
}

/// Bytes on disk of a row with its indexes, headers and the free part of pages included.
pub(crate) fn row_bytes(table: usize, options: &Options) -> u32 {
    // The mean of the sizes is exp(1/2) of their median; what InnoDB cannot keep in the index's page it keeps elsewhere.
    let mean = |median: f64| (median * 0.5_f64.exp()) as u32;
    match table {
        // Twice in the table: by its key, and in the index that lists are read by.
        LINKS => 140 + 2 * mean(options.link_datasize),
        COUNTS => 80,
        NODES => 60 + mean(options.node_datasize) * 5 / 4,
        _ => 100,
    }
}

/// Where the row numbers of a table are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) start: u64,
    pub(crate) n: u64,
    pub(crate) types: u64,
}

impl Numbers {
    /// Numbers of one type of linktable: its ids, and some after them that no chunk has ids of two types.
    fn each_type(self) -> u64 {
        self.n.div_ceil(CHUNK_IDS) * CHUNK_IDS
    }

    /// Row numbers of a table, and how many of them a chunk has. Links go by type, in the order of their key; counts by id.
    pub(crate) fn sizes(self, table: usize) -> (u64, u64) {
        match table {
            LINKS => (self.each_type() * self.types, CHUNK_IDS),
            COUNTS => (self.n * self.types, CHUNK_IDS * self.types),
            NODES => (self.n, CHUNK_IDS),
            _ => (0, 1),
        }
    }

    /// Id and type, from 0, of a row number of linktable or counttable; `None` after the last id.
    pub(crate) fn place(self, table: usize, number: u64) -> Option<(u64, u64)> {
        let at = number - 1;
        let (offset, type_number) = match table {
            LINKS => (at % self.each_type(), at / self.each_type()),
            _ => (at / self.types, at % self.types),
        };
        (offset < self.n).then(|| (self.start + offset, type_number))
    }

    /// SQL that finds the rows of a chunk by their key, with `a` and `z` for its first and last number.
    pub(crate) fn chunk(self, table: usize) -> String {
        let Self { start, types, .. } = self;
        let each = self.each_type();
        match table {
            LINKS => format!(
                "link_type = {FIRST_TYPE} + (a - 1) DIV {each} \
                 AND id1 BETWEEN {start} + (a - 1) % {each} AND {start} + (z - 1) % {each}"
            ),
            COUNTS => format!("id BETWEEN {start} + (a - 1) DIV {types} AND {start} + (z - 1) DIV {types}"),
            NODES => format!("id BETWEEN {start} + a - 1 AND {start} + z - 1"),
            _ => "a > z".into(),
        }
    }
}

/// SQL that counts the rows of a chunk.
pub(crate) fn count_chunk(table: usize, numbers: Numbers) -> String {
    format!("SELECT COUNT(*) FROM (SELECT ? a, ? z) chunk JOIN {} ON {}", NAMES[table], numbers.chunk(table))
}
