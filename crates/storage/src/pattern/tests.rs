use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::spec::{Blocks, Distribution, Range, Share, Zone};

const SPACE: Space = Space { files: 1, file_bytes: 1 << 20, from: 0 };

fn access(order: Order, distribution: Distribution, blocks: Blocks, read_share: f64) -> Access {
    Access { order, read_share, distribution, read_blocks: blocks.clone(), write_blocks: blocks }
}

fn requests(access: &Access, space: Space, seed: u64, count: usize) -> Vec<Request> {
    let mut pattern = Pattern::new(access, space, [seed, 0, 0], 1);
    (0..count).map(|_| pattern.request()).collect()
}

#[test]
fn a_stream_is_a_function_of_its_key() {
    let random = access(Order::Random, Distribution::Uniform, Blocks::One(4096), 0.7);
    assert_eq!(requests(&random, SPACE, 1, 100), requests(&random, SPACE, 1, 100));
    assert_ne!(requests(&random, SPACE, 1, 100), requests(&random, SPACE, 2, 100));
}

#[test]
fn sequential_goes_through_every_file_and_begins_again() {
    let reads = access(Order::Sequential, Distribution::Once, Blocks::One(4096), 1.0);
    let space = Space { files: 2, file_bytes: 10_000, from: 0 };
    let places: Vec<_> = requests(&reads, space, 1, 7).iter().map(|r| (r.file, r.offset, r.bytes)).collect();
    let one = [(0, 4096), (4096, 4096), (8192, 1808)];
    let expected: Vec<_> = (0..2).flat_map(|file| one.map(|(at, bytes)| (file, at, bytes))).collect();
    assert_eq!(places[..6], expected);
    assert_eq!(places[6], (0, 0, 4096));
}

#[test]
fn files_in_turn_get_one_operation_each() {
    let reads = access(Order::SequentialInTurn, Distribution::Once, Blocks::One(4096), 1.0);
    let space = Space { files: 2, file_bytes: 8192, from: 4096 };
    let places: Vec<_> = requests(&reads, space, 1, 4).iter().map(|r| (r.file, r.offset)).collect();
    assert_eq!(places, [(0, 4096), (1, 4096), (0, 4096), (1, 4096)]);
}

#[test]
fn workers_share_one_walk() {
    let reads = access(Order::SequentialShared, Distribution::Once, Blocks::One(4096), 1.0);
    let space = Space { files: 2, file_bytes: 8192, from: 0 };
    let of = |clone| {
        let mut pattern = Pattern::new(&reads, space, [1, 0, clone], 3);
        [(); 3].map(|()| pattern.request()).map(|request| u64::from(request.file) * 2 + request.offset / 4096)
    };
    assert_eq!([of(0), of(1), of(2)], [[0, 3, 2], [1, 0, 3], [2, 1, 0]]);
}

#[test]
fn once_touches_every_block_before_any_again_and_each_pass_differs() {
    let reads = access(Order::Random, Distribution::Once, Blocks::One(4096), 1.0);
    let space = Space { files: 4, file_bytes: 64 * 4096, from: 0 };
    let both = requests(&reads, space, 3, 512);
    let (first, second) = both.split_at(256);
    for pass in [first, second] {
        assert_eq!(pass.iter().map(|r| (r.file, r.offset)).collect::<BTreeSet<_>>().len(), 256);
    }
    assert_ne!(first, second);
}

#[test]
fn shares_of_reads_and_sizes_are_as_asked() {
    let sizes =
        Blocks::Split(vec![Share { bytes: 4096, weight: 90.0 }, Share { bytes: 65536, weight: 10.0 }]);
    let mixed = access(Order::Random, Distribution::Uniform, sizes, 0.7);
    let all = requests(&mixed, SPACE, 5, 100_000);
    let share = |hit: &dyn Fn(&Request) -> bool| all.iter().filter(|r| hit(r)).count() as f64 / 1e5;
    assert!((share(&|r| r.read) - 0.7).abs() < 0.01);
    assert!((share(&|r| r.bytes == 4096) - 0.9).abs() < 0.01);
}

#[test]
fn a_hot_spot_gets_its_share() {
    let zones = vec![Zone { operations: 80.0, space: 20.0 }, Zone { operations: 20.0, space: 80.0 }];
    let hot = access(Order::Random, Distribution::Zones { zones }, Blocks::One(4096), 1.0);
    let hits = requests(&hot, SPACE, 5, 100_000).iter().filter(|r| r.offset < (1 << 20) / 5).count();
    assert!((hits as f64 / 1e5 - 0.8).abs() < 0.01, "{hits}");
}

#[test]
fn zipf_has_one_hottest_block_somewhere_in_the_middle() {
    let zipf = access(Order::Random, Distribution::Zipf { theta: 1.2 }, Blocks::One(4096), 1.0);
    let mut counts = std::collections::BTreeMap::new();
    for request in requests(&zipf, SPACE, 9, 20_000) {
        *counts.entry(request.offset).or_insert(0u32) += 1;
    }
    let hottest = counts.iter().max_by_key(|(_, count)| **count).map(|(offset, count)| (*offset, *count));
    let (offset, count) = hottest.expect("20 000 requests");
    assert!(count > 20_000 / 8, "{count}");
    assert_ne!(offset, 0, "ranks are scattered");
}

proptest! {
    #[test]
    fn requests_stay_inside_the_files(
        files in 1u32..5, file_bytes in 1u64..200_000, from in 0u64..100_000, grain in 1u32..9000, times in 1u32..9,
        order in prop_oneof![Just(Order::Sequential), Just(Order::SequentialInTurn), Just(Order::Random)], seed: u64,
    ) {
        let space = Space { files, file_bytes, from };
        prop_assume!(space.usable() >= u64::from(grain));
        let blocks = Blocks::Range(Range { from: grain, to: grain * times });
        for once in [Distribution::Once, Distribution::Zipf { theta: 0.9 }] {
            for request in requests(&access(order, once, blocks.clone(), 0.5), space, seed, 200) {
                prop_assert!(request.file < files && request.offset >= from && request.bytes > 0);
                prop_assert!(request.offset + u64::from(request.bytes) <= file_bytes);
            }
        }
    }
}
