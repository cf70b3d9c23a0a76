//! `insert_benchmark`: the index insertion benchmark (iibench, Tokutek 2008; ibench, Callaghan): rows in the order of
//! their key into a table whose secondary indexes are hit at random.

mod options;
mod purchases;
mod turns;
mod workload;

#[cfg(test)]
mod tests;

pub(crate) use self::workload::InsertBenchmark;
