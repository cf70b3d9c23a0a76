//! The tables of `linkbench` as a data set.

use crate::linkbench::checks::checks;
use crate::linkbench::distribution::Sections;
use crate::linkbench::links::Links;
use crate::linkbench::options::Options;
use crate::linkbench::payload::Payload;
use crate::linkbench::population::Population;
use crate::linkbench::schema::{
    COUNTS, LINKS, NAMES, NODES, NOTES_NAME, Numbers, columns, count_chunk, create, indexes, row_bytes,
};
use crate::{Check, Dataset, Notes, OptionError, Rng, Table};

#[derive(Debug)]
pub(crate) struct GraphData {
    tables: Vec<Table>,
    numbers: Numbers,
    population: Population,
    notes: Vec<(&'static str, String)>,
}

impl GraphData {
    /// # Errors
    /// Options that cannot be.
    pub(crate) fn new(
        options: &Options,
        sections: &Sections,
        links: Links,
        seed: u64,
    ) -> Result<Self, OptionError> {
        let storage = options.storage.clause()?;
        let graph = &options.graph;
        let java = options.java();
        let numbers = Numbers { start: graph.startid1, n: graph.ids(), types: links.types };
        let table = |number: usize| {
            let (rows, chunk_rows) = numbers.sizes(number);
            Table {
                name: NAMES[number].into(),
                create: create(number, options, &storage),
                columns: columns(number).into(),
                rows,
                row_bytes: row_bytes(number, options),
                chunk_rows,
                count_chunk: count_chunk(number, numbers),
                after: indexes(number),
            }
        };
        Ok(Self {
            tables: (0..NAMES.len()).map(table).collect(),
            numbers,
            notes: notes(options, sections, seed),
            population: Population {
                seed,
                links,
                ends: graph.ends(),
                link: Payload::of_link(options.link_datasize, options.link_add.wish().bytes(seed, 0, java)?),
                node: Payload::of_node(options.node_datasize, options.node_add.wish().bytes(seed, 1, java)?),
            },
        })
    }

    pub(crate) fn links(&self) -> &Links {
        &self.population.links
    }

    /// What operations must agree on with the load, by the names of the options.
    pub(crate) fn shape(&self) -> impl Iterator<Item = &(&'static str, String)> {
        self.notes.iter().filter(|(name, _)| !matches!(*name, "format" | "seed"))
    }
}

fn notes(options: &Options, sections: &Sections, seed: u64) -> Vec<(&'static str, String)> {
    let graph = &options.graph;
    vec![
        ("format", "1".into()),
        ("seed", seed.to_string()),
        ("compat", options.compat.name().into()),
        ("startid1", graph.startid1.to_string()),
        ("maxid1", graph.maxid1.to_string()),
        ("link_type_count", graph.link_type_count.to_string()),
        ("nlinks_func", graph.nlinks_name()),
        ("nlinks_config", graph.nlinks_config.to_string()),
        ("nlinks_default", graph.nlinks_default.to_string()),
        ("nlinks_shape", graph.nlinks_shape.to_string()),
        ("nlinks_prob", graph.nlinks_prob.to_string()),
        ("nlinks_mean", graph.nlinks_mean.to_string()),
        ("randomid2max", graph.randomid2max.to_string()),
        (
            "data_file",
            if graph.data_file.is_empty() { String::new() } else { format!("{:016x}", sections.digest()) },
        ),
    ]
}

impl Dataset for GraphData {
    fn tables(&self) -> &[Table] {
        &self.tables
    }

    fn row(&self, table: usize, number: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        self.part(table, number, 0, rng, out);
    }

    fn rows_at(&self, table: usize, number: u64) -> u64 {
        if table == LINKS { self.rows_in(table, number, number) } else { 1 }
    }

    fn part(&self, table: usize, number: u64, part: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        if table == NODES {
            return self.population.node(self.numbers.start + number - 1, rng, out);
        }
        match self.numbers.place(table, number) {
            Some((id, type_number)) if table == LINKS => {
                self.population.link(id, type_number, part, rng, out);
            }
            Some((id, type_number)) if table == COUNTS => self.population.count(id, type_number, out),
            _ => {}
        }
    }

    fn rows_in(&self, table: usize, first: u64, last: u64) -> u64 {
        let links = |number| {
            self.numbers
                .place(table, number)
                .map_or(0, |(id, type_number)| self.links().of_type(id, type_number))
        };
        match table {
            LINKS => (first..=last).map(links).sum(),
            COUNTS => (first..=last).filter(|number| links(*number) > 0).count() as u64,
            _ => (last + 1).saturating_sub(first),
        }
    }

    fn rows_about(&self, table: usize) -> u64 {
        match table {
            LINKS => self.links().about().0,
            COUNTS => self.links().about().1,
            _ => self.tables[table].rows,
        }
    }

    fn charset(&self) -> Option<&str> {
        Some("latin1")
    }

    fn notes(&self) -> Option<Notes> {
        Some(Notes::new(NOTES_NAME, &self.notes))
    }

    fn checks(&self) -> Vec<Check> {
        checks(self.numbers)
    }
}
