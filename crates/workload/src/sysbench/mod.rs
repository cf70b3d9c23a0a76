//! The workloads of sysbench, a file each, by their names on the command line. Their shapes (tables, statements, counts)
//! are facts of sysbench 1.0.20; the code is not.

pub(crate) mod bulk_insert;
mod mix;
pub(crate) mod oltp_delete;
pub(crate) mod oltp_insert;
pub(crate) mod oltp_point_select;
pub(crate) mod oltp_read_only;
pub(crate) mod oltp_read_write;
pub(crate) mod oltp_update_index;
pub(crate) mod oltp_update_non_index;
pub(crate) mod oltp_write_only;
pub(crate) mod select;
pub(crate) mod select_random_points;
pub(crate) mod select_random_ranges;

pub(crate) use self::mix::Oltp;

#[cfg(test)]
mod tests;
