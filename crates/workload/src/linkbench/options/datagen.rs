//! Options of what links and nodes carry.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OptionError;
use crate::linkbench::options::access::plain;
use crate::linkbench::payload::Bytes;

/// Length of the motifs of the original, whatever its options say.
const JAVA_MOTIF: usize = 512;

/// One generator, whatever its options are called.
#[derive(Debug, Clone)]
pub(crate) struct DatagenWish {
    pub(crate) name: &'static str,
    pub(crate) kind: String,
    pub(crate) startbyte: u8,
    pub(crate) endbyte: u8,
    pub(crate) uniqueness: f64,
    pub(crate) motif_length: u32,
}

macro_rules! datagen_options {
    ($type:ident, $kind:ident, $start:ident = $first:literal, $end:ident = $last:literal,
     $uniqueness:ident = $share:literal, $motif:ident = $length:literal, $what:literal $(, $load:tt)?) => {
        #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        pub(crate) struct $type {
            #[doc = concat!("How the data of ", $what, " is made: motif or uniform. The original's class names are read as well.")]
            $(#[schemars(extend("x-shapes" = $load))])?
            pub(crate) $kind: String,
            #[doc = concat!("Smallest byte in the data of ", $what, ".")]
            $(#[schemars(extend("x-shapes" = $load))])?
            pub(crate) $start: u8,
            #[doc = concat!("Largest byte in the data of ", $what, ".")]
            $(#[schemars(extend("x-shapes" = $load))])?
            pub(crate) $end: u8,
            #[doc = concat!("Share of new bytes in the motif data of ", $what, " (0 to 1); the rest repeats and \
                compresses.")]
            #[schemars(range(min = 0.0, max = 1.0))]
            $(#[schemars(extend("x-shapes" = $load))])?
            pub(crate) $uniqueness: f64,
            #[doc = concat!("Bytes that the motif data of ", $what, " repeats slices of.")]
            #[schemars(range(min = 1, max = 1_048_576))]
            $(#[schemars(extend("x-shapes" = $load))])?
            pub(crate) $motif: u32,
        }

        impl Default for $type {
            fn default() -> Self {
                Self { $kind: "motif".into(), $start: $first, $end: $last, $uniqueness: $share, $motif: $length }
            }
        }

        impl $type {
            pub(crate) fn wish(&self) -> DatagenWish {
                DatagenWish {
                    name: stringify!($kind),
                    kind: self.$kind.clone(),
                    startbyte: self.$start,
                    endbyte: self.$end,
                    uniqueness: self.$uniqueness,
                    motif_length: self.$motif,
                }
            }
        }
    };
}

datagen_options!(
    LinkAddOptions,
    link_add_datagen,
    link_add_datagen_startbyte = 32,
    link_add_datagen_endbyte = 100,
    link_add_datagen_uniqueness = 0.225,
    link_add_datagen_motif_length = 128,
    "new links"
);
datagen_options!(
    LinkUpOptions,
    link_up_datagen,
    link_up_datagen_startbyte = 32,
    link_up_datagen_endbyte = 100,
    link_up_datagen_uniqueness = 0.225,
    link_up_datagen_motif_length = 128,
    "updated links",
    "load"
);
datagen_options!(
    NodeAddOptions,
    node_add_datagen,
    node_add_datagen_startbyte = 50,
    node_add_datagen_endbyte = 220,
    node_add_datagen_uniqueness = 0.63,
    node_add_datagen_motif_length = 512,
    "new nodes"
);
datagen_options!(
    NodeUpOptions,
    node_up_datagen,
    node_up_datagen_startbyte = 50,
    node_up_datagen_endbyte = 220,
    node_up_datagen_uniqueness = 0.63,
    node_up_datagen_motif_length = 512,
    "updated nodes",
    "load"
);

impl DatagenWish {
    /// # Errors
    /// No such generator, or no bytes between the smallest and the largest.
    pub(crate) fn bytes(&self, seed: u64, number: u64, java: bool) -> Result<Bytes, OptionError> {
        let Self { name, startbyte, endbyte, .. } = self;
        if startbyte >= endbyte {
            return Err(OptionError(format!(
                "{name}_startbyte must be below {name}_endbyte, but they are {startbyte} and {endbyte}"
            )));
        }
        let length = if java { JAVA_MOTIF } else { self.motif_length as usize };
        let motif = match plain(&self.kind).as_str() {
            "motif" => Some((self.uniqueness, length)),
            "uniform" => None,
            _ => return Err(OptionError(format!("{name} must be motif or uniform, not {:?}", self.kind))),
        };
        Ok(Bytes::new(seed, number, *startbyte, *endbyte, motif))
    }
}
