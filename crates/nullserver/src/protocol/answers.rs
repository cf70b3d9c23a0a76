//! The prebuilt replies, for both protocols and both ways to end a result set.

use crate::protocol::reply::{Reply, TYPE_LONGLONG, TYPE_STRING};
use crate::protocol::statement::AnswerKind;
use crate::protocol::table::Encoding;

/// The rows and variables that the server pretends to hold.
#[derive(Debug, Clone)]
pub struct Content {
    /// Version in the greeting.
    pub version: String,
    /// Rows of a SELECT.
    pub rows: usize,
    /// Rows of a SELECT with BETWEEN.
    pub range_rows: usize,
    /// Logins are asked for full `caching_sha2_password` authentication, and sent this key, whatever it is (PEM is usual).
    pub public_key: Option<Vec<u8>>,
}

impl Default for Content {
    fn default() -> Self {
        Self { version: "8.0.0-assay-null".into(), rows: 1, range_rows: 100, public_key: None }
    }
}

/// The value of every row: as long as sysbench's column `c`.
const VALUE: &[u8] = b"68487932199-96439406143-93774651418-41631865787-96406072701-20604855487-25459966574-28203206787-41238978918-19503783441";

#[derive(Debug)]
struct ResultSets {
    point: Reply,
    range: Reply,
    aggregate: Reply,
}

/// Every reply that is the same each time.
#[derive(Debug)]
pub(crate) struct Answers {
    ok: Reply,
    written: Reply,
    /// By [`Encoding`]: text or binary, then with or without EOF.
    result_sets: [[ResultSets; 2]; 2],
}

impl Answers {
    pub(crate) fn new(content: &Content) -> Self {
        let result_sets = |binary, deprecate_eof| {
            let encoding = Encoding { binary, deprecate_eof };
            ResultSets {
                point: Reply::result_set(encoding, TYPE_STRING, VALUE, content.rows),
                range: Reply::result_set(encoding, TYPE_STRING, VALUE, content.range_rows),
                aggregate: Reply::result_set(encoding, TYPE_LONGLONG, b"100", 1),
            }
        };
        let both = |binary| [result_sets(binary, false), result_sets(binary, true)];
        Self { ok: Reply::ok(0), written: Reply::ok(1), result_sets: [both(false), both(true)] }
    }

    pub(crate) fn ok(&self) -> &Reply {
        &self.ok
    }

    #[inline]
    pub(crate) fn to(&self, kind: AnswerKind, encoding: Encoding) -> &Reply {
        let sets = &self.result_sets[usize::from(encoding.binary)][usize::from(encoding.deprecate_eof)];
        match kind {
            AnswerKind::Point => &sets.point,
            AnswerKind::Range => &sets.range,
            AnswerKind::Aggregate => &sets.aggregate,
            AnswerKind::Write => &self.written,
            AnswerKind::Begin | AnswerKind::End | AnswerKind::Other | AnswerKind::Ask => &self.ok,
        }
    }
}
