//! The options of `linkbench`, by the names of the original's FBWorkload.properties.

mod access;
mod datagen;
mod graph;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::access::{
    AccessWish, NodeDeleteOptions, NodeReadOptions, NodeUpdateOptions, ReadOptions, ReadUncorrOptions,
    WriteOptions, WriteUncorrOptions, plain,
};
use self::datagen::{LinkAddOptions, LinkUpOptions, NodeAddOptions, NodeUpOptions};
pub(crate) use self::graph::GraphOptions;
use crate::OptionError;
use crate::linkbench::access::{Access, Blend};
use crate::linkbench::distribution::{Distribution, Section, Sections, Shape};
use crate::linkbench::shuffle::Spread;
use crate::option::StorageOptions;

/// What the original means, or what it does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Compat {
    #[default]
    Intended,
    Java,
}

impl Compat {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Intended => "intended",
            Self::Java => "java",
        }
    }
}

/// Shares of the ten operations.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct MixOptions {
    /// Share of operations that add a link (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) addlink: f64,
    /// Share of operations that hide a link (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) deletelink: f64,
    /// Share of operations that update a link (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) updatelink: f64,
    /// Share of operations that read the number of an id's links (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) countlink: f64,
    /// Share of operations that get several links of an id (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) getlink: f64,
    /// Share of operations that list the links of an id (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) getlinklist: f64,
    /// Share of operations that get a node (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) getnode: f64,
    /// Share of operations that add a node (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) addnode: f64,
    /// Share of operations that update a node (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) updatenode: f64,
    /// Share of operations that delete a node (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) deletenode: f64,
    /// Share of the lists that continue where an earlier list was cut off (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) getlinklist_history: f64,
}

impl Default for MixOptions {
    fn default() -> Self {
        Self {
            addlink: 8.988_660_1,
            deletelink: 2.990_766_4,
            updatelink: 8.012_212_5,
            countlink: 4.886_356_7,
            getlink: 0.526_114_2,
            getlinklist: 50.711_914_5,
            getnode: 12.932_668_3,
            addnode: 2.573_278_9,
            updatenode: 7.366_437,
            deletenode: 1.011_591_4,
            getlinklist_history: 0.3,
        }
    }
}

/// How many links one multiget asks for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct MultigetOptions {
    /// How many links a multiget asks for: geometric, uniform, zipf or lognormal; empty: one. The original's class names
    /// are read as well.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) link_multiget_dist: String,
    /// Fewest links of a multiget.
    #[schemars(extend("x-shapes" = "load"), range(min = 1, max = 10_000))]
    pub(crate) link_multiget_dist_min: u64,
    /// Upper bound of the number of links of a multiget, exclusive.
    #[schemars(extend("x-shapes" = "load"), range(min = 2, max = 10_001))]
    pub(crate) link_multiget_dist_max: u64,
    /// Probability of link_multiget_dist = geometric.
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 1.0))]
    pub(crate) link_multiget_dist_prob: f64,
    /// Exponent of link_multiget_dist = zipf.
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0))]
    pub(crate) link_multiget_dist_shape: f64,
}

impl Default for MultigetOptions {
    fn default() -> Self {
        Self {
            link_multiget_dist: "geometric".into(),
            link_multiget_dist_min: 1,
            link_multiget_dist_max: 128,
            link_multiget_dist_prob: 0.382,
            link_multiget_dist_shape: 0.8,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    /// Follow the original's intent, or also its bugs, to compare with its own figures (java). Results of the two cannot
    /// be compared.
    pub(crate) compat: Compat,
    #[serde(flatten)]
    pub(crate) graph: GraphOptions,
    /// Median size of the data of links, in bytes.
    #[schemars(range(min = 1.0, max = 254.0))]
    pub(crate) link_datasize: f64,
    /// Median size of the data of nodes, in bytes.
    #[schemars(range(min = 1.0, max = 1_000_000.0))]
    pub(crate) node_datasize: f64,
    #[serde(flatten)]
    pub(crate) link_add: LinkAddOptions,
    #[serde(flatten)]
    pub(crate) link_up: LinkUpOptions,
    #[serde(flatten)]
    pub(crate) node_add: NodeAddOptions,
    #[serde(flatten)]
    pub(crate) node_up: NodeUpOptions,
    #[serde(flatten)]
    pub(crate) mix: MixOptions,
    #[serde(flatten)]
    pub(crate) multiget: MultigetOptions,
    #[serde(flatten)]
    pub(crate) read: ReadOptions,
    #[serde(flatten)]
    pub(crate) read_uncorr: ReadUncorrOptions,
    /// Share of the reads of links that are not correlated with the number of links (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) read_uncorr_blend: f64,
    #[serde(flatten)]
    pub(crate) write: WriteOptions,
    #[serde(flatten)]
    pub(crate) write_uncorr: WriteUncorrOptions,
    /// Share of the writes of links that are not correlated with the number of links (%).
    #[schemars(extend("x-shapes" = "load"), range(min = 0.0, max = 100.0))]
    pub(crate) write_uncorr_blend: f64,
    #[serde(flatten)]
    pub(crate) node_read: NodeReadOptions,
    #[serde(flatten)]
    pub(crate) node_update: NodeUpdateOptions,
    #[serde(flatten)]
    pub(crate) node_delete: NodeDeleteOptions,
    /// Partitions of linktable; 0: none.
    #[schemars(range(min = 0, max = 1024))]
    pub(crate) partitions: u32,
    #[serde(flatten)]
    pub(crate) storage: StorageOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            compat: Compat::default(),
            graph: GraphOptions::default(),
            link_datasize: 8.0,
            node_datasize: 128.0,
            link_add: LinkAddOptions::default(),
            link_up: LinkUpOptions::default(),
            node_add: NodeAddOptions::default(),
            node_up: NodeUpOptions::default(),
            mix: MixOptions::default(),
            multiget: MultigetOptions::default(),
            read: ReadOptions::default(),
            read_uncorr: ReadUncorrOptions::default(),
            read_uncorr_blend: 99.5,
            write: WriteOptions::default(),
            write_uncorr: WriteUncorrOptions::default(),
            write_uncorr_blend: 95.0,
            node_read: NodeReadOptions::default(),
            node_update: NodeUpdateOptions::default(),
            node_delete: NodeDeleteOptions::default(),
            partitions: 16,
            storage: StorageOptions::default(),
        }
    }
}

/// The ids that each kind of access hits.
#[derive(Debug, Clone)]
pub(crate) struct Accesses {
    pub(crate) link_reads: Blend,
    pub(crate) link_writes: Blend,
    pub(crate) node_reads: Access,
    pub(crate) node_updates: Access,
    pub(crate) node_deletes: Access,
}

impl Options {
    pub(crate) fn java(&self) -> bool {
        self.compat == Compat::Java
    }

    /// # Errors
    /// An access that cannot be.
    pub(crate) fn accesses(&self, sections: &Sections) -> Result<Accesses, OptionError> {
        let (start, n) = (self.graph.startid1, self.graph.ids());
        let access = |wish: &AccessWish, section, spread| wish.access(start, n, section, spread, sections);
        let read_uncorr = self.read_uncorr.wish();
        // The original reads one key for the other.
        let write_uncorr = if self.java() { read_uncorr.clone() } else { self.write_uncorr.wish() };
        let write_blend = if self.java() { self.read_uncorr_blend } else { self.write_uncorr_blend };
        let (reads, writes) = (Some(Section::LinkReads), Some(Section::LinkWrites));
        Ok(Accesses {
            link_reads: Blend {
                correlated: access(&self.read.wish(), reads, Spread::ByLinks)?,
                uncorrelated: access(&read_uncorr, reads, Spread::Uncorrelated)?,
                share: self.read_uncorr_blend / 100.0,
            },
            link_writes: Blend {
                correlated: access(&self.write.wish(), writes, Spread::ByLinks)?,
                uncorrelated: access(&write_uncorr, writes, Spread::Uncorrelated)?,
                share: write_blend / 100.0,
            },
            node_reads: access(&self.node_read.wish(), Some(Section::NodeReads), Spread::Nodes)?,
            node_updates: access(&self.node_update.wish(), Some(Section::NodeWrites), Spread::Nodes)?,
            node_deletes: access(&self.node_delete.wish(), None, Spread::Nodes)?,
        })
    }

    /// How many links a multiget asks for; `None`: one.
    ///
    /// # Errors
    /// A distribution that cannot be.
    pub(crate) fn multiget(&self) -> Result<Option<Distribution>, OptionError> {
        let options = &self.multiget;
        let (min, max) = (options.link_multiget_dist_min, options.link_multiget_dist_max);
        let name = plain(&options.link_multiget_dist);
        if name.is_empty() {
            return Ok(None);
        }
        if min >= max {
            return Err(OptionError(format!(
                "link_multiget_dist_min must be below link_multiget_dist_max, but they are {min} and {max}"
            )));
        }
        let wish = AccessWish {
            prefix: "link_multiget_dist_",
            function: name.clone(),
            shape: options.link_multiget_dist_shape,
            config: 1,
            prob: options.link_multiget_dist_prob,
            median: min as f64,
            sigma: 1.0,
        };
        let shape = match wish.shape_of(&name, max - min)? {
            Some(Shape::Geometric { prob, .. }) => Shape::Geometric { prob, one_more: self.java() },
            Some(shape) => shape,
            None => {
                return Err(OptionError(format!(
                    "link_multiget_dist is {:?}; there are geometric, uniform, zipf and lognormal",
                    options.link_multiget_dist
                )));
            }
        };
        Ok(Some(Distribution { min, max, shape }))
    }
}
