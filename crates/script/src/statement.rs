//! Statements that a script has prepared: how they travel, and what is bound to them.

use std::marker::PhantomData;
use std::{ptr, slice};

use assay_wire::Param;

use crate::native::Named;

/// A parameter as the prelude writes it, in the order in which it declares it.
#[repr(C)]
pub(crate) struct Slot {
    /// The kind of the value, one of the constants below; another value: NULL.
    has: i32,
    /// Bytes of the text.
    length: u32,
    /// A whole number, or the address of a text.
    whole: i64,
    real: f64,
    /// The declared type, one of the constants below.
    holds: i32,
    /// Bytes of the longest text.
    _most: i32,
}

const WHOLE: i32 = 1;
const REAL: i32 = 2;
const TEXT: i32 = 3;

/// The parameters of a statement as the prelude lists them: their number, then so many addresses.
#[repr(C)]
pub(crate) struct Bound {
    count: usize,
    at: [*const Slot; 0],
}

/// The parameters of a statement, where the script has them.
#[derive(Clone, Copy)]
pub(crate) struct Params<'a> {
    bound: *const Bound,
    script: PhantomData<&'a Slot>,
}

impl<'a> Params<'a> {
    /// # Safety
    /// There are as many addresses as are said, each null or that of a parameter; all of it, texts included, stays as it is
    /// for this lifetime.
    pub(crate) unsafe fn new(bound: *const Bound) -> Self {
        Self { bound, script: PhantomData }
    }

    /// Reads what the parameters refer to, where the script runs: if a script has written over an address, it meets there what
    /// its error tells, and not outside of it.
    #[inline]
    pub(crate) fn meet(self) {
        for param in self.iter() {
            if let Param::Bytes(text) = param {
                for byte in [text.first(), text.last()].into_iter().flatten() {
                    // SAFETY: a reference to a byte.
                    unsafe { ptr::read_volatile(byte) };
                }
            }
        }
    }

    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = Param<'a>> {
        // SAFETY: as the maker promised.
        let slots = unsafe {
            let first = (&raw const (*self.bound).at).cast::<*const Slot>();
            slice::from_raw_parts(first, (*self.bound).count)
        };
        // SAFETY: as above.
        slots.iter().map(|slot| unsafe { slot.as_ref() }.map_or(Param::Null, Slot::param))
    }
}

impl Slot {
    /// Gives a parameter for numbers a number; false where it is for texts, or has no room for it.
    pub(crate) fn set_number(&mut self, number: f64) -> bool {
        let is_taken = match self.holds {
            WHOLE => number.abs() < 2f64.powi(63),
            REAL => number.is_finite(),
            _ => false,
        };
        if is_taken {
            self.has = self.holds;
            if self.holds == WHOLE {
                self.whole = number as i64;
            } else {
                self.real = number;
            }
        }
        is_taken
    }

    fn param(&self) -> Param<'_> {
        match self.has {
            WHOLE => Param::Int(self.whole),
            REAL => Param::Double(self.real),
            TEXT => {
                let text = ptr::with_exposed_provenance(self.whole as usize);
                // SAFETY: the prelude has a text of this length there, for as long as the parameter lasts.
                Param::Bytes(unsafe { slice::from_raw_parts(text, self.length as usize) })
            }
            _ => Param::Null,
        }
    }
}

extern "C" fn param_put(param: *mut Slot, number: f64, _none: f64) -> f64 {
    // SAFETY: the prelude hands over a parameter, which it has looked at.
    unsafe { (*param).set_number(number) }.into()
}

/// The function whose address the prelude may ask for.
pub(crate) const ADDRESSES: &[Named] = &[("param_put", || param_put as *mut _)];

/// The way in which a statement travels.
pub(crate) enum Transport<P> {
    Prepared(P),
    /// Sent as text: an option demands it, or the server cannot prepare this kind.
    Text,
    /// The connection on which it was prepared is gone.
    Stale,
}

pub(crate) struct Statement<P> {
    pub sql: String,
    pub way: Transport<P>,
    /// Whether the log has it that more parameters are bound than there are marks.
    pub told_of_more: bool,
}

/// The text of a statement with its parameters in place of the `?`: every `?`, and texts as they are, without escapes, as
/// sysbench's own emulation has it.
pub(crate) fn filled(sql: &str, params: &[Param<'_>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(sql.len() + 16 * params.len());
    let mut params = params.iter();
    for (number, piece) in sql.split('?').enumerate() {
        if number > 0 {
            match params.next() {
                None => out.push(b'?'),
                Some(Param::Int(number)) => out.extend_from_slice(number.to_string().as_bytes()),
                Some(Param::Double(number)) => out.extend_from_slice(format!("{number:.6}").as_bytes()),
                Some(Param::Bytes(text)) => {
                    out.push(b'\'');
                    out.extend_from_slice(text);
                    out.push(b'\'');
                }
                // No kind of parameter makes anything else.
                Some(_) => out.extend_from_slice(b"NULL"),
            }
        }
        out.extend_from_slice(piece.as_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_take_the_places_of_the_marks() {
        let params = [Param::Int(-7), Param::Null, Param::Double(0.5)];
        assert_eq!(filled("a=? b=? c=? d=?", &params), b"a=-7 b=NULL c=0.500000 d=?");
        assert_eq!(filled("BEGIN", &[]), b"BEGIN");
    }
}
