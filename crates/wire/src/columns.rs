//! Column definitions of result sets, decoded once and shared.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::error::Error;
use crate::row::Column;

/// The columns of a result, behind one thin pointer: every prepared statement may hold one.
pub(crate) type Columns = Arc<Box<[Column]>>;

/// Cache of a thread's column definitions, by the bytes they came in. Thousands of connections prepare the same
/// statements: they share the decoded form, and a result set that comes again is not decoded again.
#[derive(Default)]
struct Cache {
    columns: HashMap<Box<[u8]>, Columns>,
    bytes: usize,
}

/// Most bytes of definitions in a thread's cache. Past them it is emptied: generated statements must not fill it for
/// ever.
const LIMIT: usize = 256 * 1024;

impl Cache {
    fn remember(&mut self, bytes: &[u8], columns: &Columns) {
        if bytes.len() > LIMIT {
            return;
        }
        if self.bytes + bytes.len() > LIMIT {
            *self = Self::default();
        }
        self.bytes += bytes.len();
        self.columns.insert(bytes.into(), Arc::clone(columns));
    }
}

thread_local! {
    static CACHE: RefCell<Cache> = RefCell::default();
}

/// Definition packets of one result, gathered as they come. Empty between results.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    /// The packets, each with its length (four bytes) in front.
    bytes: Vec<u8>,
    count: usize,
}

/// Most bytes that the definitions of one result take: 4096 columns with the longest names need half of them.
const MOST_BYTES: usize = 16 << 20;

/// Capacity, in bytes, above which the memory of gathered packets is given back.
const KEEP_CAPACITY: usize = 1024;

impl Definitions {
    pub(crate) fn clear(&mut self) {
        if self.bytes.capacity() > KEEP_CAPACITY {
            self.bytes = Vec::new();
        }
        self.bytes.clear();
        self.count = 0;
    }

    /// Adds a definition packet.
    ///
    /// # Errors
    /// The definitions are larger than those of any result.
    pub(crate) fn push(&mut self, payload: &[u8]) -> Result<(), Error> {
        if self.bytes.len() + payload.len() > MOST_BYTES {
            return Err(Error::Protocol(format!("column definitions of more than {MOST_BYTES} bytes")));
        }
        let length = u32::try_from(payload.len()).map_err(|_| Error::malformed("column definition"))?;
        self.bytes.extend_from_slice(&length.to_le_bytes());
        self.bytes.extend_from_slice(payload);
        self.count += 1;
        Ok(())
    }

    /// The columns that the gathered packets define.
    pub(crate) fn columns(&self) -> Result<Columns, Error> {
        CACHE.with_borrow_mut(|cache| {
            if let Some(columns) = cache.columns.get(self.bytes.as_slice()) {
                return Ok(Arc::clone(columns));
            }
            let columns: Columns = Arc::new(self.decode()?);
            cache.remember(&self.bytes, &columns);
            Ok(columns)
        })
    }

    fn decode(&self) -> Result<Box<[Column]>, Error> {
        let mut reader = crate::reader::Reader(&self.bytes);
        (0..self.count)
            .map(|_| {
                let packet = reader.u32().and_then(|length| reader.bytes(length as usize));
                let packet = packet.ok_or_else(|| Error::malformed("column definition"))?;
                Column::parse(packet).ok_or_else(|| Error::malformed("column definition"))
            })
            .collect()
    }
}
