//! The workload itself: terminals, their operations, what is counted of them.

use std::sync::Arc;

use std::collections::BTreeMap;

use crate::description::names;
use crate::entry::Shipped;
use crate::linkbench::counters as count;
use crate::linkbench::data::GraphData;
use crate::linkbench::distribution::{Distribution, Place};
use crate::linkbench::id2::{EXIST_ADD, EXIST_DELETE, EXIST_UPDATE, Ends, Requester};
use crate::linkbench::link_reads::LinkReads;
use crate::linkbench::link_writes::{Link, LinkWrites, Written};
use crate::linkbench::links::FIRST_TYPE;
use crate::linkbench::mix::{self, Mix, RequestKind};
use crate::linkbench::node_ops::NodeOps;
use crate::linkbench::options::{Accesses, Options};
use crate::linkbench::payload::Payload;
use crate::linkbench::population::LOADED_MS;
use crate::linkbench::schema::NOTES_NAME;
use crate::linkbench::tails::Tails;
use crate::statement::Statements;
use crate::{Dataset, Description, Driver, Failure, Learner, Operation, OptionError, Session};

#[derive(Debug)]
pub(crate) struct LinkBench {
    options: Options,
    data: GraphData,
    statements: Statements,
    mix: Mix,
    /// The share of lists that are continued, of 1.
    history: f64,
    accesses: Accesses,
    ends: Ends,
    multiget: Option<Distribution>,
    payloads: Payloads,
    link_writes: LinkWrites,
    link_reads: LinkReads,
    node_ops: NodeOps,
}

#[derive(Debug)]
struct Payloads {
    link_add: Payload,
    link_up: Payload,
    node_add: Payload,
    node_up: Payload,
}

/// What a requester, as the original calls a terminal, keeps between operations.
#[derive(Debug)]
pub(crate) struct Terminal {
    number: u32,
    of: u32,
    tails: Tails,
    data: Vec<u8>,
    text: Vec<u8>,
    ends: Vec<u64>,
}

impl Terminal {
    fn requester(&self) -> Requester {
        Requester { number: self.number.into(), of: self.of.max(1).into() }
    }
}

impl Shipped for LinkBench {
    type Options = Options;

    const NAME: &'static str = "linkbench";
    const SUMMARY: &'static str = "LinkBench: a social graph of nodes and links, ten kinds of operations";
    const KINDS: &'static [&'static str] = &mix::NAMES;
    const CONDITIONS: bool = true;

    fn new(options: Options, seed: u64) -> Result<Self, OptionError> {
        let java = options.java();
        let sections = options.graph.sections()?;
        let links = options.graph.links(&sections, java)?;
        let link = |bytes| Payload::of_link(options.link_datasize, bytes);
        let node = |bytes| Payload::of_node(options.node_datasize, bytes);
        let mut statements = Statements::default();
        // The bytes of nodes are characters of Latin-1, whatever they are elsewhere.
        statements.set_up("SET NAMES latin1");
        // The end of a transaction travels with its last statement.
        statements.send_packets();
        Ok(Self {
            payloads: Payloads {
                link_add: link(options.link_add.wish().bytes(seed, 0, java)?),
                link_up: link(options.link_up.wish().bytes(seed, 2, java)?),
                node_add: node(options.node_add.wish().bytes(seed, 1, java)?),
                node_up: node(options.node_up.wish().bytes(seed, 3, java)?),
            },
            data: GraphData::new(&options, &sections, links, seed)?,
            mix: Mix::new(&options.mix)?,
            history: options.mix.getlinklist_history / 100.0,
            accesses: options.accesses(&sections)?,
            ends: options.graph.ends(),
            multiget: options.multiget()?,
            link_writes: LinkWrites::new(&options, &mut statements),
            link_reads: LinkReads::new(&mut statements),
            node_ops: NodeOps::new(&options, &mut statements),
            statements,
            options,
        })
    }
}

impl Description for LinkBench {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }

    fn kinds(&self) -> Vec<Arc<str>> {
        names(Self::KINDS)
    }

    fn counters(&self) -> Vec<Arc<str>> {
        names(&count::NAMES)
    }

    fn facts(&self) -> BTreeMap<String, String> {
        let graph = &self.options.graph;
        let facts = [
            ("compat", self.options.compat.name().to_owned()),
            ("startid1", graph.startid1.to_string()),
            ("maxid1", graph.maxid1.to_string()),
            ("link_type_count", graph.link_type_count.to_string()),
            ("nlinks_func", graph.nlinks_name()),
        ];
        facts.map(|(name, value)| (name.to_owned(), value)).into()
    }

    fn learner(&mut self) -> Option<&mut dyn Learner> {
        Some(self)
    }
}

impl Learner for LinkBench {
    fn learn(&mut self, notes: &BTreeMap<String, String>) -> Result<(), OptionError> {
        let refuse = |message: String| Err(OptionError(format!("linkbench: {message}")));
        if notes.is_empty() {
            return refuse(format!(
                "table {NOTES_NAME} is missing or empty: run prepare, or continue an interrupted one with \
                --resume"
            ));
        }
        for (name, asked) in self.data.shape() {
            match notes.get(*name) {
                Some(loaded) if loaded == asked => {}
                Some(_) if *name == "data_file" => {
                    return refuse("data_file: the tables were made with another one".into());
                }
                Some(loaded) => {
                    return refuse(format!(
                        "{name} = {asked}, but the tables were made with {name} = {loaded}: give that, or run cleanup and prepare"
                    ));
                }
                None => {
                    return refuse(format!(
                        "table {NOTES_NAME} does not say {name}: run cleanup and prepare"
                    ));
                }
            }
        }
        Ok(())
    }
}

impl Driver for LinkBench {
    type Local = ();
    type Terminal = Terminal;

    fn local(&self) {}

    fn terminal(&self, _local: &(), number: u32, of: u32) -> Terminal {
        Terminal { number, of, tails: Tails::default(), data: Vec::new(), text: Vec::new(), ends: Vec::new() }
    }

    async fn transaction(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let kind = self.mix.kind(operation.rng.unit());
        operation.kind = Some(kind.id());
        match kind {
            RequestKind::AddLink => {
                self.write_link(&self.payloads.link_add, EXIST_ADD, terminal, operation, session).await
            }
            RequestKind::UpdateLink => {
                self.write_link(&self.payloads.link_up, EXIST_UPDATE, terminal, operation, session).await
            }
            RequestKind::DeleteLink => self.delete_link(terminal, operation, session).await,
            RequestKind::CountLink => {
                let (id1, type_number) = self.link_to_read(terminal, operation);
                self.link_reads.count(id1, FIRST_TYPE + type_number, session).await
            }
            RequestKind::MultigetLink => self.multiget(terminal, operation, session).await,
            RequestKind::GetLinksList => self.list(terminal, operation, session).await,
            RequestKind::AddNode
            | RequestKind::UpdateNode
            | RequestKind::DeleteNode
            | RequestKind::GetNode => self.node(kind, terminal, operation, session).await,
        }
    }
}

/// Time of an operation: it goes on by a millisecond with each of a terminal, so that the stream does not depend on
/// the clock.
fn now_ms(operation: &Operation) -> u64 {
    LOADED_MS + operation.number
}

fn place(terminal: &Terminal, operation: &Operation) -> Place {
    Place { terminal: terminal.number, terminals: terminal.of, number: operation.number }
}

impl LinkBench {
    /// Id and type, from 0, of a list of links.
    fn link_to_read(&self, terminal: &Terminal, operation: &mut Operation) -> (u64, u64) {
        let id1 = self.accesses.link_reads.id(place(terminal, operation), &mut operation.rng);
        (id1, operation.rng.range(0, self.data.links().types - 1))
    }

    /// A link that exists with a chance of about `exist`: id, type and other end.
    fn link_to_write(&self, exist: f64, terminal: &Terminal, operation: &mut Operation) -> [u64; 3] {
        let id1 = self.accesses.link_writes.id(place(terminal, operation), &mut operation.rng);
        let links = self.data.links();
        let type_number = operation.rng.range(0, links.types - 1);
        let many = links.of_type(id1, type_number);
        let id2 = self.ends.chosen(id1, many, exist, terminal.requester(), &mut operation.rng);
        [id1, FIRST_TYPE + type_number, id2]
    }

    async fn write_link(
        &self,
        payload: &Payload,
        exist: f64,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let [id1, link_type, id2] = self.link_to_write(exist, terminal, operation);
        terminal.data.clear();
        payload.put(&mut operation.rng, &mut terminal.data);
        let link = Link { id1, link_type, id2, data: &terminal.data, time_ms: now_ms(operation) };
        let counter = match self.link_writes.write(link, &mut terminal.text, session).await? {
            Written::Added => count::ADDED,
            Written::Rewritten => count::REWRITTEN,
            Written::Restored => count::RESTORED,
        };
        operation.count(counter, 1);
        Ok(())
    }

    async fn delete_link(
        &self,
        terminal: &Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let [id1, link_type, id2] = self.link_to_write(EXIST_DELETE, terminal, operation);
        let hidden = self.link_writes.hide(id1, link_type, id2, now_ms(operation), session).await?;
        operation.count(if hidden { count::HIDDEN } else { count::NOT_THERE }, 1);
        Ok(())
    }

    async fn multiget(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let (id1, type_number) = self.link_to_read(terminal, operation);
        let wanted = self.multiget.as_ref().map_or(1, |sizes| sizes.draw(&mut operation.rng));
        let many = self.data.links().of_type(id1, type_number);
        let who = terminal.requester();
        self.ends.several(id1, many, wanted, who, &mut operation.rng, &mut terminal.ends);
        let Terminal { ends, text, .. } = terminal;
        let found = self.link_reads.multiget(id1, FIRST_TYPE + type_number, ends, text, session).await?;
        operation.count(count::ASKED, ends.len());
        operation.count(count::FOUND, found);
        Ok(())
    }

    async fn list(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let again = operation.rng.unit() < self.history && !terminal.tails.is_empty();
        let listed = if again {
            let (at, tail) = terminal.tails.pick(&mut operation.rng);
            let listed = self.link_reads.rest(tail, session).await?;
            terminal.tails.replace(at, listed.tail);
            operation.count(count::CONTINUED, 1);
            listed
        } else {
            let (id1, type_number) = self.link_to_read(terminal, operation);
            let listed = self.link_reads.list(id1, FIRST_TYPE + type_number, session).await?;
            if let Some(tail) = listed.tail {
                terminal.tails.add(tail, &mut operation.rng);
            }
            listed
        };
        operation.count(count::LISTS, 1);
        operation.count(count::LISTED, listed.links);
        Ok(())
    }

    async fn node(
        &self,
        kind: RequestKind,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let time_s = now_ms(operation) / 1000;
        let place = place(terminal, operation);
        let Terminal { data, text, .. } = terminal;
        let rng = &mut operation.rng;
        data.clear();
        match kind {
            RequestKind::AddNode => {
                self.payloads.node_add.put(rng, data);
                self.node_ops.add(time_s, data, text, session).await?;
            }
            RequestKind::UpdateNode => {
                let id = self.accesses.node_updates.id(place, rng);
                self.payloads.node_up.put(rng, data);
                let found = self.node_ops.update(id, time_s, data, text, session).await?;
                operation.count(count::NODES_UPDATED, u32::from(found));
            }
            RequestKind::DeleteNode => {
                let id = self.accesses.node_deletes.id(place, rng);
                let found = self.node_ops.delete(id, text, session).await?;
                operation.count(count::NODES_DELETED, u32::from(found));
            }
            _ => {
                let id = self.accesses.node_reads.id(place, rng);
                let found = self.node_ops.get(id, session).await?;
                operation.count(count::NODES_READ, 1);
                operation.count(count::NODES_FOUND, u32::from(found));
            }
        }
        Ok(())
    }
}
