//! Keys of records: `user` and a number, hashed or not.

use std::io::Write;

use crate::ycsb::options::{InsertOrder, Options};

/// FNV-1a of 64 bits over the eight bytes of a number, the lowest first, without its sign: what YCSB calls `fnvhash64`
/// (Fowler, Noll, Vo; draft-eastlake-fnv).
pub(crate) fn fnv(number: u64) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
    (number.to_le_bytes().iter().fold(BASIS, step) as i64).unsigned_abs()
}

const BASIS: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 1_099_511_628_211;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Keys {
    order: InsertOrder,
    digits: usize,
}

impl Keys {
    pub(crate) fn new(options: &Options) -> Self {
        Self { order: options.insertorder, digits: options.zeropadding as usize }
    }

    /// Writes the key of record `number`, from 0, over what was in `out`.
    #[inline]
    pub(crate) fn write(self, number: u64, out: &mut Vec<u8>) {
        out.clear();
        self.append(number, out);
    }

    pub(crate) fn append(self, number: u64, out: &mut Vec<u8>) {
        let shown = match self.order {
            InsertOrder::Hashed => fnv(number),
            InsertOrder::Ordered => number,
        };
        // Writing to a vector cannot fail.
        let _ = write!(out, "user{shown:0digits$}", digits = self.digits);
    }

    /// The key in SQL, of the number that the expression `number` is.
    pub(crate) fn sql(self, number: &str) -> String {
        let shown = match self.order {
            InsertOrder::Ordered => number.to_owned(),
            InsertOrder::Hashed => {
                // The products have up to 32 digits: a DECIMAL holds them, and its remainder is what 64 bits keep.
                let hash = (0..8).fold(BASIS.to_string(), |hash, byte| {
                    let octet = format!("(({number} >> {}) & 255)", 8 * byte);
                    format!("CAST(CAST(({hash} ^ {octet}) AS DECIMAL(65)) * {PRIME} % 18446744073709551616 AS UNSIGNED)")
                });
                format!("ABS(CAST({hash} AS SIGNED))")
            }
        };
        // LPAD would cut what is longer.
        format!("CONCAT('user', LPAD({shown}, GREATEST({}, LENGTH({shown})), '0'))", self.digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(order: InsertOrder, zeropadding: u32, number: u64) -> String {
        let keys = Keys::new(&Options { insertorder: order, zeropadding, ..Options::default() });
        let mut out = Vec::new();
        keys.write(number, &mut out);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn keys_are_those_of_ycsb() {
        // The first record that YCSB loads.
        assert_eq!(key(InsertOrder::Hashed, 1, 0), "user6284781860667377211");
        assert_eq!(key(InsertOrder::Hashed, 20, 0), "user06284781860667377211");
        assert_eq!(key(InsertOrder::Ordered, 1, 12), "user12");
        assert_eq!(key(InsertOrder::Ordered, 5, 12), "user00012");
    }
}
