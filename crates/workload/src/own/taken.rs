//! A sample of rows that was taken, and its form in a file beside a dataset: taken once, the same for all servers.

use serde::{Deserialize, Serialize};

use crate::own::pool::{Pool, Values};
use crate::own::sampler::hash_of;

/// How the values of a column travel to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Type {
    /// A text, which the server reads as the column's type.
    Text,
    Whole {
        unsigned: bool,
    },
    Decimal {
        scale: u8,
    },
    /// Bytes of no character set.
    Binary,
    /// The bytes of a number, the highest first.
    Bits,
}

/// Rows with how often each was there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Taken {
    /// One a column; none where the rows are texts of a file.
    pub(super) types: Vec<Type>,
    pub(super) rows: u64,
    pub(super) nulls: u64,
    /// Count and fields of each, a field after its length in eight bytes.
    pub(super) sampled: Vec<(u64, Box<[u8]>)>,
}

/// What stands before the rows of a sample in a file.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    source: String,
    types: Vec<Type>,
    rows: u64,
    nulls: u64,
    kept: usize,
}

/// First bytes of a file of samples.
const MAGIC: &[u8] = b"assay pools 1\n";

impl Taken {
    /// A number that tells this sample from any other.
    pub(super) fn hash(&self) -> u64 {
        let mut sum = hash_of(format!("{:?}", self.types).as_bytes());
        for (count, row) in &self.sampled {
            sum = hash_of(&[sum.to_le_bytes(), count.to_le_bytes(), hash_of(row).to_le_bytes()].concat());
        }
        sum
    }

    /// Whether more distinct rows were there than are kept: those that are kept have their whole counts.
    pub(super) fn is_cut(&self) -> bool {
        self.sampled.iter().map(|(count, _)| count).sum::<u64>() + self.nulls < self.rows
    }

    /// The pool of these rows; `None` of no row.
    pub(super) fn pool(&self) -> Option<Pool> {
        let width = self.sampled.first().map(|(_, row)| fields_of(row).count())?;
        let column = |index: usize| {
            let fields = || self.sampled.iter().filter_map(move |(_, row)| fields_of(row).nth(index));
            let typed = match self.types.get(index).copied().unwrap_or(Type::Text) {
                Type::Whole { unsigned: false } => {
                    fields().map(read).collect::<Option<_>>().map(Values::Whole)
                }
                Type::Whole { unsigned: true } => {
                    fields().map(read).collect::<Option<_>>().map(Values::Natural)
                }
                Type::Decimal { scale } => {
                    let unscaled = fields().map(|field| unscaled(field, scale)).collect::<Option<_>>();
                    unscaled.map(|unscaled| Values::Decimal { unscaled, scale })
                }
                Type::Bits => fields().map(bits).collect::<Option<_>>().map(Values::Natural),
                Type::Binary => Some(Values::Binary(fields().map(Into::into).collect())),
                Type::Text => None,
            };
            typed.unwrap_or_else(|| Values::Texts(fields().map(Into::into).collect()))
        };
        Some(Pool::new(
            (0..width).map(column).collect(),
            self.sampled.iter().map(|(count, _)| *count).collect(),
            self.hash(),
        ))
    }
}

/// Samples by their sources, in the form of a file.
pub(super) fn written<'a>(samples: impl Iterator<Item = (&'a str, &'a Taken)>) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    for (source, taken) in samples {
        let head = Head {
            source: source.to_owned(),
            types: taken.types.clone(),
            rows: taken.rows,
            nulls: taken.nulls,
            kept: taken.sampled.len(),
        };
        out.extend(serde_json::to_vec(&head).expect("plain data"));
        out.push(b'\n');
        for (count, row) in &taken.sampled {
            out.extend_from_slice(&count.to_le_bytes());
            out.extend_from_slice(&(row.len() as u64).to_le_bytes());
            out.extend_from_slice(row);
        }
    }
    out
}

/// The samples of a file, by their sources; `None` of a file that is cut off, or of another kind.
pub(super) fn read_back(file: &[u8]) -> Option<Vec<(String, Taken)>> {
    let mut rest = file.strip_prefix(MAGIC)?;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let head: Head = serde_json::from_slice(&rest[..end]).ok()?;
        rest = &rest[end + 1..];
        let mut sampled = Vec::with_capacity(head.kept.min(rest.len() / 16));
        for _ in 0..head.kept {
            let (count, after) = rest.split_first_chunk::<8>()?;
            let (length, after) = after.split_first_chunk::<8>()?;
            let (row, left) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
            sampled.push((u64::from_le_bytes(*count), row.into()));
            rest = left;
        }
        found.push((head.source, Taken { types: head.types, rows: head.rows, nulls: head.nulls, sampled }));
    }
    Some(found)
}

fn read<T: std::str::FromStr>(field: &[u8]) -> Option<T> {
    str::from_utf8(field).ok()?.parse().ok()
}

/// The digits of a decimal number with so many after the point; `None` where they are too many for 64 bits.
fn unscaled(field: &[u8], scale: u8) -> Option<i64> {
    let text = str::from_utf8(field).ok()?;
    let (units, fraction) = text.split_once('.').unwrap_or((text, ""));
    // MySQL gives a column of decimals all of its digits; a value such as -0.50 keeps its sign in the units.
    let width = usize::from(scale);
    (fraction.len() <= width && width <= 18)
        .then(|| format!("{units}{fraction:0<width$}").parse().ok())
        .flatten()
}

/// The number that bytes are, the highest first.
fn bits(field: &[u8]) -> Option<u64> {
    (field.len() <= 8).then(|| field.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// The fields of a row, each after its length in eight bytes.
fn fields_of(row: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = row;
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk::<8>()?;
        let (field, left) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        rest = left;
        Some(field)
    })
}

#[cfg(test)]
mod tests {
    use assay_wire::Param;

    use super::*;
    use crate::own::held::Slot;
    use crate::own::sampler::Sampler;

    #[test]
    fn samples_go_into_a_file_and_come_back_and_a_cut_file_is_none() {
        let mut sampler = Sampler::default();
        for row in 0..50_u32 {
            sampler.add([row.to_string().as_bytes(), b"\x00\n{\"".as_slice()].into_iter());
        }
        let taken = sampler.taken();
        let mut ordered = Sampler::in_order();
        for row in [b"b", b"a", b"b"] {
            ordered.add([row.as_slice()].into_iter());
        }
        let ordered = ordered.taken();
        let file = written([("t: a, b", &taken), ("x.csv: a", &ordered)].into_iter());
        let back = read_back(&file).expect("samples");
        assert_eq!(back, [("t: a, b".to_owned(), taken.clone()), ("x.csv: a".to_owned(), ordered)]);
        assert_ne!(taken.hash(), back[1].1.hash());
        // A file that ends between two samples is a whole file of fewer.
        let whole = written([("t: a, b", &taken)].into_iter()).len();
        assert!(
            (1..file.len())
                .filter(|end| *end != MAGIC.len() && *end != whole)
                .all(|end| read_back(&file[..end]).is_none())
        );
        assert!(read_back(b"something else").is_none());
        let mut few = Sampler::keeping(10);
        for row in 0..50_u32 {
            few.add([row.to_string().as_bytes()].into_iter());
        }
        assert!(few.taken().is_cut() && !taken.is_cut());
    }

    #[test]
    fn values_keep_the_type_of_their_column() {
        let row = |fields: &[&[u8]]| -> Box<[u8]> {
            fields.iter().flat_map(|field| [&(field.len() as u64).to_le_bytes(), *field].concat()).collect()
        };
        let types = vec![
            Type::Whole { unsigned: false },
            Type::Whole { unsigned: true },
            Type::Decimal { scale: 2 },
            Type::Binary,
            Type::Bits,
            Type::Text,
        ];
        let fields: [&[u8]; 6] =
            [b"-5", b"18446744073709551615", b"-0.5", b"\xFF", b"\x01\x00", b"2026-01-31"];
        let taken = Taken { types, rows: 1, nulls: 0, sampled: vec![(1, row(&fields))] };
        let mut slots = vec![Slot::EMPTY; 6];
        taken.pool().expect("a pool").put(0, &mut slots);
        let expected = [
            Param::Int(-5),
            Param::UInt(u64::MAX),
            Param::Decimal { unscaled: -50, scale: 2 },
            Param::Binary(b"\xFF"),
            Param::UInt(256),
            Param::Bytes(b"2026-01-31"),
        ];
        assert!(slots.iter().map(Slot::param).eq(expected));
    }
}
