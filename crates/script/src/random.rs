//! The part of a script's state that its compiled code reaches by address, and its functions for random numbers.
//!
//! Numbers come and go as Lua has them. Fractions are cut and negative numbers wrap at 32 bits, as scripts know it of sysbench.

use assay_workload::{Distribution, RandOptions, RandType, Rng};

use crate::door::Door;
use crate::host::Counter;
use crate::native::Named;
use crate::unique::{Lane, Unique};

/// First word of the key of a script's stream.
const SCRIPT: u64 = 0x7363_7269_7074;
/// Distributions that a script draws from in turns; each has constants that are worth keeping.
const KEPT: usize = 8;

/// The part of a script's state that compiled code reaches by address.
pub(crate) struct Native {
    rng: Rng,
    unique: Unique,
    options: RandOptions,
    kept: Vec<(RandType, u64, Distribution)>,
    /// Totals by counter, and what the script itself has added since the last look.
    totals: [i64; Counter::ALL.len()],
    added: [i64; Counter::ALL.len()],
    /// The text that was drawn last.
    text: Vec<u8>,
    /// The way out of the script.
    pub door: Door,
}

impl Native {
    pub(crate) fn new(seed: u64, tid: u32, lane: Lane) -> Self {
        Self {
            rng: Rng::keyed(&[SCRIPT, seed, tid.into()]),
            unique: Unique::new(seed, lane),
            options: RandOptions::default(),
            kept: Vec::new(),
            totals: Default::default(),
            added: Default::default(),
            text: Vec::new(),
            door: Door::default(),
        }
    }

    /// Draws by these options from now on.
    pub(crate) fn configure(&mut self, options: RandOptions) {
        self.options = options;
        self.kept.clear();
    }

    /// Adds to a counter that the host knows of already.
    pub(crate) fn note(&mut self, counter: Counter, amount: i64) {
        self.totals[counter as usize] += amount;
    }

    /// Hands over what the script has counted itself.
    pub(crate) fn take_added(&mut self, mut take: impl FnMut(Counter, i64)) {
        for (counter, added) in Counter::ALL.into_iter().zip(&mut self.added) {
            if *added != 0 {
                take(counter, std::mem::take(added));
            }
        }
    }

    /// A number of a range as a script gives it; none for ends that are no numbers, or are beyond those of 64 bits.
    fn number(&mut self, kind: RandType, low: f64, high: f64) -> f64 {
        const NUMBERS: f64 = u32::MAX as f64 + 1.0;
        const ENDS: std::ops::RangeInclusive<f64> = -NUMBERS * NUMBERS..=NUMBERS * NUMBERS;
        if !ENDS.contains(&low) || !ENDS.contains(&high) {
            return f64::NAN;
        }
        if high >= NUMBERS {
            // sysbench cannot draw from such a range: the distribution picks one of so many equal parts of it.
            let part = f64::from(self.draw(kind, 0, u32::MAX));
            return low + ((part + self.rng.unit()) / NUMBERS * (high - low + 1.0)).floor();
        }
        self.draw(kind, wrapped(low), wrapped(high)).into()
    }

    /// A number in `low..=high`; the ends wrap as numbers of 32 bits do.
    fn draw(&mut self, kind: RandType, low: u32, high: u32) -> u32 {
        // An empty range, as of a list without elements: two of sysbench's distributions answer with its beginning.
        if matches!(kind, RandType::Uniform | RandType::Pareto) && low > 0 && high == low - 1 {
            return low;
        }
        let count = u64::from(high.wrapping_sub(low)) + 1;
        let place = self.kept.iter().position(|(kept, n, _)| *kept == kind && *n == count);
        let place = place.unwrap_or_else(|| {
            if self.kept.len() == KEPT {
                self.kept.remove(0);
            }
            let options = RandOptions { rand_type: kind, ..self.options.clone() };
            self.kept.push((kind, count, Distribution::new(&options, count)));
            self.kept.len() - 1
        });
        let drawn = self.kept[place].2.draw(&mut self.rng) - 1;
        low.wrapping_add(drawn as u32)
    }
}

/// The functions whose addresses the prelude may ask for.
pub(crate) const ADDRESSES: &[Named] = &[
    ("rand_default", || rand_default as *mut _),
    ("rand_uniform", || rand_uniform as *mut _),
    ("rand_gaussian", || rand_gaussian as *mut _),
    ("rand_special", || rand_special as *mut _),
    ("rand_pareto", || rand_pareto as *mut _),
    ("rand_zipfian", || rand_zipfian as *mut _),
    ("rand_unique", || rand_unique as *mut _),
    ("rand_double", || rand_double as *mut _),
    ("rand_u64", || rand_u64 as *mut _),
    ("rand_string", || rand_string as *mut _),
    ("rand_varstring", || rand_varstring as *mut _),
    ("count", || count as *mut _),
    ("counted", || counted as *mut _),
];

/// The state behind the pointer that every call brings.
///
/// # Safety
/// `native` is the pointer that the prelude of this state was told, which lives as long as the state; nobody else looks at
/// it while Lua runs.
unsafe fn of<'a>(native: *mut Native) -> &'a mut Native {
    // SAFETY: as the caller promises.
    unsafe { &mut *native }
}

/// A number of Lua as the C type `uint32_t` holds it.
fn wrapped(number: f64) -> u32 {
    number as i64 as u32
}

extern "C" fn rand_default(native: *mut Native, low: f64, high: f64) -> f64 {
    // SAFETY: the prelude hands over the pointer that it was told.
    let native = unsafe { of(native) };
    native.number(native.options.rand_type, low, high)
}

/// Makes of a kind of draw a function that has an address.
macro_rules! draws {
    ($($name:ident => $kind:ident;)+) => {
        $(extern "C" fn $name(native: *mut Native, low: f64, high: f64) -> f64 {
            // SAFETY: the prelude hands over the pointer that it was told.
            unsafe { of(native) }.number(RandType::$kind, low, high)
        })+
    };
}

draws! {
    rand_uniform => Uniform;
    rand_gaussian => Gaussian;
    rand_special => Special;
    rand_pareto => Pareto;
    rand_zipfian => Zipfian;
}

extern "C" fn rand_unique(native: *mut Native, _: f64, _: f64) -> f64 {
    // SAFETY: the prelude hands over the pointer that it was told.
    unsafe { of(native) }.unique.draw().into()
}

extern "C" fn rand_double(native: *mut Native) -> f64 {
    // SAFETY: the prelude hands over the pointer that it was told.
    unsafe { of(native) }.rng.unit()
}

extern "C" fn rand_u64(native: *mut Native) -> u64 {
    // SAFETY: the prelude hands over the pointer that it was told.
    unsafe { of(native) }.rng.u64()
}

/// Digits and letters that one word of the stream is used for: 10^n and 26^n of them lie far below 2^64.
const FROM_A_WORD: u32 = 10;

/// Draws a text of `length` bytes by `format`: `#` as a digit, `@` as a letter, all others as they are.
extern "C" fn rand_string(native: *mut Native, _: f64, _: f64, format: *const u8, length: usize) -> i32 {
    // SAFETY: the prelude hands over the pointer that it was told, and a text of this length.
    let (native, format) = unsafe { (of(native), std::slice::from_raw_parts(format, length)) };
    let Native { rng, text, door, .. } = native;
    text.resize(length, 0);
    let (mut word, mut left) = (0, 0);
    for (place, letter) in text.iter_mut().zip(format) {
        let (first, of) = match letter {
            b'#' => (b'0', 10),
            b'@' => (b'a', 26),
            other => {
                *place = *other;
                continue;
            }
        };
        if left == 0 {
            (word, left) = (rng.u64(), FROM_A_WORD);
        }
        // The upper half of a product is a number below `of`, and its lower half the rest of the word.
        let product = u128::from(word) * of;
        word = product as u64;
        left -= 1;
        *place = first + (product >> 64) as u8;
    }
    door.tell_text(text.as_ptr());
    0
}

/// Draws a text of `least..=most` bytes between `0` and `z`; returns its length.
extern "C" fn rand_varstring(native: *mut Native, least: f64, most: f64) -> f64 {
    // SAFETY: the prelude hands over the pointer that it was told.
    let native = unsafe { of(native) };
    let (least, most) = (wrapped(least), wrapped(most));
    let length = native.draw(RandType::Uniform, least, most.max(least));
    let Native { rng, text, door, .. } = native;
    text.clear();
    text.extend((0..length).map(|_| rng.range(b'0'.into(), b'z'.into()) as u8));
    door.tell_text(text.as_ptr());
    length.into()
}

extern "C" fn count(native: *mut Native, counter: i32, amount: i64) {
    // SAFETY: the prelude hands over the pointer that it was told.
    let native = unsafe { of(native) };
    if let Some(counter) = usize::try_from(counter).ok().filter(|counter| *counter < Counter::ALL.len()) {
        native.totals[counter] = native.totals[counter].wrapping_add(amount);
        native.added[counter] = native.added[counter].wrapping_add(amount);
    }
}

extern "C" fn counted(native: *mut Native, counter: i32) -> i64 {
    // SAFETY: the prelude hands over the pointer that it was told.
    let native = unsafe { of(native) };
    usize::try_from(counter).ok().and_then(|counter| native.totals.get(counter).copied()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_between_their_ends_and_ends_wrap() {
        let mut native = Native::new(7, 0, Lane::default());
        for kind in
            [RandType::Uniform, RandType::Gaussian, RandType::Special, RandType::Pareto, RandType::Zipfian]
        {
            for (low, high) in [(1, 1), (5, 9), (1, 1_000_000), (0, u32::MAX)] {
                for _ in 0..50 {
                    let drawn = native.draw(kind, low, high);
                    assert!((low..=high).contains(&drawn), "{drawn} of {low}..={high}");
                }
            }
        }
        for (low, high) in [(f64::NAN, 1.0), (1.0, f64::INFINITY), (-1e300, 1.0)] {
            assert!(native.number(RandType::Uniform, low, high).is_nan());
        }
        assert_eq!((native.draw(RandType::Uniform, 1, 0), native.draw(RandType::Pareto, 8, 7)), (1, 8));
        let drawn = native.draw(RandType::Uniform, u32::MAX, 1);
        assert!([u32::MAX, 0, 1].contains(&drawn));
    }

    #[test]
    fn strings_follow_their_format() {
        let mut native = Native::new(7, 0, Lane::default());
        let format = b"###-@@@-x%";
        rand_string(&raw mut native, 0.0, 0.0, format.as_ptr(), format.len());
        let out = native.text;
        assert!(out[..3].iter().all(u8::is_ascii_digit) && out[4..7].iter().all(u8::is_ascii_lowercase));
        assert_eq!((out[3], &out[7..]), (b'-', b"-x%".as_slice()));
    }

    #[test]
    fn the_stream_is_a_function_of_seed_and_thread() {
        let draw = |seed, tid| Native::new(seed, tid, Lane::default()).draw(RandType::Uniform, 0, u32::MAX);
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }
}
