//! Distributions against figures of the original, dumped from its code.

use super::*;
use crate::linkbench::java_random::JavaRandom;
use crate::linkbench::links::{Degrees, FIRST_TYPE, Links};
use crate::linkbench::options::GraphOptions;
use crate::linkbench::shuffle::{Shuffle, Spread};

fn numbers(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

fn parsed<T: std::str::FromStr>(word: &str) -> T {
    word.parse().unwrap_or_else(|_| panic!("{word}"))
}

/// Lines of a file of goldens that are no comments.
fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(numbers)
}

#[test]
fn shuffles_are_those_of_the_original() {
    for line in lines(include_str!("goldens/shuffler.txt")) {
        let seed: u64 = parsed(line[0]);
        let [n, number, forth, back] = [1, 2, 3, 4].map(|at| parsed::<u64>(line[at]));
        let spread = match seed {
            20_343_988_438_726_021 => Spread::ByLinks,
            53_238_253_823_453 => Spread::Uncorrelated,
            _ => Spread::Nodes,
        };
        let shuffle = Shuffle::new(spread, n);
        assert_eq!((shuffle.permute(number), shuffle.invert(number)), (forth, back), "{line:?}");
    }
}

#[test]
fn quantiles_are_those_of_the_original() {
    let mut seen = 0;
    for line in lines(include_str!("goldens/zipf.txt")) {
        let (theta, n) = (parsed::<f64>(line[0]), parsed::<u64>(line[1]));
        let zipf = Distribution { min: 0, max: n, shape: Shape::Zipf(ApproximateZipf::new(n, theta)) };
        let Shape::Zipf(law) = &zipf.shape else { unreachable!() };
        match line[2] {
            "quantiles" => {
                for pair in &line[3..] {
                    let (u, value) = pair.split_once(':').expect("a pair");
                    let ours = law.quantile(parsed(u)).min(n - 1);
                    // The last digit of a power is the library's.
                    assert!(ours.abs_diff(parsed(value)) <= 1, "{theta} {n} {u}: {ours}, not {value}");
                    seen += 1;
                }
            }
            "draws-of-seed-42" => {
                let mut random = JavaRandom::new(42);
                for value in &line[3..] {
                    assert_eq!(law.quantile(random.unit()), parsed::<u64>(value), "{theta} {n}");
                }
            }
            _ => {}
        }
    }
    assert!(seen > 500, "{seen}");
}

fn draws(distribution: &Distribution, count: usize) -> Vec<u64> {
    let mut rng = Rng::keyed(&[1]);
    (0..count).map(|_| distribution.draw(&mut rng)).collect()
}

#[test]
fn zipf_hits_the_most_frequent_as_often_as_its_law_says() {
    let n = 100_000;
    // Above 1 the closed form departs from the law: there only the original's quantiles hold.
    for theta in [0.606, 0.625, 0.741, 0.8] {
        let zipf = Distribution { min: 0, max: n, shape: Shape::Zipf(ApproximateZipf::new(n, theta)) };
        let drawn = draws(&zipf, 400_000);
        let sum = |ranks: u64| (1..=ranks).map(|rank| (rank as f64).powf(-theta)).sum::<f64>();
        for part in [1_000, 10_000] {
            let expected = sum(part) / sum(n);
            let share = drawn.iter().filter(|rank| **rank < part).count() as f64 / drawn.len() as f64;
            assert!(
                (share - expected).abs() < 0.02 * expected.max(0.5),
                "{theta} {part}: {share}, {expected}"
            );
        }
        // Of n ids, those hit at least once by so many draws.
        let all = sum(n);
        let expected: f64 = (1..=n)
            .map(|rank| 1.0 - (1.0 - (rank as f64).powf(-theta) / all).powf(drawn.len() as f64))
            .sum::<f64>();
        let mut unique = drawn.clone();
        unique.sort_unstable();
        unique.dedup();
        assert!((unique.len() as f64 / expected - 1.0).abs() < 0.02, "{theta}: {} {expected}", unique.len());
    }
}

#[test]
fn a_multiget_asks_for_as_many_as_meant_or_as_coded() {
    for (one_more, mean, least) in [(false, 2.618, 1), (true, 3.617, 2)] {
        let sizes = Distribution { min: 1, max: 128, shape: Shape::Geometric { prob: 0.382, one_more } };
        let drawn = draws(&sizes, 400_000);
        let found = drawn.iter().sum::<u64>() as f64 / drawn.len() as f64;
        assert!((found - mean).abs() < 0.02, "{found}");
        assert_eq!(drawn.iter().min(), Some(&least));
    }
}

fn curve(section: Section) -> Observed {
    Sections::shipped().and_then(|all| all.get(section)).expect("the shipped curves")
}

/// Mean, share of 0 and largest value, over so many ids.
fn figures(curve: &Observed, n: u64) -> (f64, f64, u64) {
    let values = (0..n).map(|rank| curve.value(1.0 - (rank as f64 + 0.5) / n as f64));
    let (mut sum, mut none) = (0, 0_u64);
    for value in values {
        sum += value;
        none += u64::from(value == 0);
    }
    (sum as f64 / n as f64, none as f64 / n as f64, curve.value(1.0))
}

#[test]
fn the_curves_have_the_published_figures() {
    for (section, mean, none, most) in [
        (Section::Links, 4.0973, 0.4533, 961_963),
        (Section::LinkReads, 0.6476, 0.9557, 95_718),
        (Section::LinkWrites, 0.2307, 0.9675, 75_879),
        (Section::NodeReads, 0.1492, 0.9520, 23_831),
        (Section::NodeWrites, 0.1264, 0.9522, 25_125),
    ] {
        let curve = curve(section);
        let found = figures(&curve, 10_000_000);
        assert!((found.0 / mean - 1.0).abs() < 0.01, "{section:?}: {found:?}");
        assert!((found.1 - none).abs() < 1e-4 && found.2 == most, "{section:?}: {found:?}");
    }
    let links = curve(Section::Links);
    for (u, value) in [(0.7746, 1), (0.9, 3), (0.95, 5), (0.99, 15), (0.999, 264), (0.9999, 6051)] {
        let found = links.value(u);
        assert!(found.abs_diff(value) as f64 <= 0.01 * value as f64, "{u}: {found}, not {value}");
    }
}

#[test]
fn reads_as_observed_are_in_proportion_to_the_curve() {
    let n = 100_000;
    let observed = curve(Section::LinkReads);
    let values: Vec<f64> =
        (0..n).map(|rank| observed.value(1.0 - (rank as f64 + 0.5) / n as f64) as f64).collect();
    let total: f64 = values.iter().sum();
    let drawn = draws(&Distribution { min: 0, max: n, shape: Shape::Observed(observed) }, 400_000);
    // The very first ranks hold steps of the curve that are finer than an id.
    for part in [100, 1_000, 4_000] {
        let expected = values[..part as usize].iter().sum::<f64>() / total;
        let share = drawn.iter().filter(|rank| **rank < part).count() as f64 / drawn.len() as f64;
        assert!((share - expected).abs() < 0.02, "{part}: {share}, {expected}");
    }
    // Nobody reads 95.57 % of them.
    assert!(drawn.iter().all(|rank| *rank <= 4_426), "{:?}", drawn.iter().max());
}

fn links(n: u64, types: u32, java: bool) -> Links {
    let options = GraphOptions { maxid1: n + 1, link_type_count: types, ..GraphOptions::default() };
    options.links(&options.sections().expect("shipped"), java).expect("options that can be")
}

#[test]
fn links_of_each_rank_are_close_to_those_of_the_original() {
    let observed = curve(Section::Links);
    for line in lines(include_str!("goldens/nlinks-by-rank.txt")) {
        let n: u64 = parsed(line[0]);
        for pair in &line[1..] {
            let (rank, value) = pair.split_once(':').expect("a pair");
            let (ours, value) = (observed.value(1.0 - parsed::<f64>(rank) / n as f64), parsed::<u64>(value));
            assert!(ours.abs_diff(value) as f64 <= 1.0 + 0.02 * value as f64, "{n} {pair}: {ours}");
        }
    }
}

#[test]
fn graphs_have_as_many_links_as_those_of_the_original() {
    let mut seen = 0;
    for line in lines(include_str!("goldens/nlinks-totals.txt")) {
        // The others begin at another id, or list the ids with the most links.
        if line[0] != "1" {
            continue;
        }
        let (n, types) = (parsed::<u64>(line[1]), parsed::<u32>(line[2]));
        let graph = links(n, types, true);
        for (number, golden) in line[4..].iter().enumerate() {
            let golden: Vec<f64> = golden.split('/').map(parsed).collect();
            let counts = (1..=n).map(|id| graph.of_type(id, number as u64));
            let (mut sum, mut any, mut most) = (0, 0_u64, 0);
            for count in counts {
                sum += count;
                any += u64::from(count > 0);
                most = most.max(count);
            }
            assert!((sum as f64 / golden[0] - 1.0).abs() < 0.002, "{line:?}: {sum}");
            assert!((any as f64 - golden[1]).abs() < 1.0 + 0.001 * golden[1], "{line:?}: {any}");
            assert!((most as f64 - golden[2]).abs() < 0.5, "{line:?}: {most}");
        }
        seen += 1;
    }
    assert!(seen >= 20, "{seen}");
}

#[test]
fn links_per_node_are_those_that_were_worked_out() {
    for (n, meant, coded) in [(1_000_000, 4.98, 5.25), (10_000_000, 4.17, 4.45)] {
        for (java, expected) in [(false, meant), (true, coded)] {
            let graph = links(n, 2, java);
            let step = n / 1_000_000;
            // Every id of a million; of more, the hottest and a sample.
            let Degrees::Ranked { shuffle, .. } = &graph.degrees else { unreachable!() };
            let of = |rank| {
                let id = 1 + shuffle.permute(rank);
                graph.of_type(id, 0) + graph.of_type(id, 1)
            };
            let hottest: u64 = (0..10_000).map(of).sum();
            let sample: u64 = (10_000..n).step_by(step as usize).map(of).sum();
            let mean = (hottest + sample * step) as f64 / n as f64;
            assert!((mean - expected).abs() < 0.015, "{n} {java}: {mean}");
        }
    }
    let graph = links(100_000, 2, false);
    let with = (1..=100_000).flat_map(|id| [0, 1].map(|number| u64::from(graph.of_type(id, number) > 0)));
    assert!((with.sum::<u64>() as f64 / 1e5 - 0.772).abs() < 0.001);
    assert_eq!(FIRST_TYPE, 123_456_789);
}

#[test]
fn arithmetic_link_counts_are_those_of_the_original() {
    for line in lines(include_str!("goldens/nlinks-modes.txt")) {
        // Its perfect_squares changes its own default as it goes, its reciprocal has no number for the first id.
        let modes = ["const", "reciprocal", "multiples", "exponential"];
        if !modes.contains(&line[0]) {
            continue;
        }
        let value = |at: usize| parsed::<u64>(line[at].split_once('=').expect("a setting").1);
        let options = GraphOptions {
            nlinks_func: line[0].into(),
            nlinks_config: value(1),
            nlinks_default: value(2),
            startid1: parsed(line[3]),
            maxid1: parsed(line[4]),
            ..GraphOptions::default()
        };
        let graph = options.links(&options.sections().expect("shipped"), true).expect("options that can be");
        let skip = usize::from(line[0] == "reciprocal");
        for (offset, total) in line[6..].iter().enumerate().skip(skip) {
            let id = options.startid1 + offset as u64;
            assert_eq!(graph.total(id), parsed::<u64>(total), "{line:?} {id}");
        }
    }
    let squares = GraphOptions {
        nlinks_func: "PERFECT_SQUARES".into(),
        nlinks_config: 2,
        nlinks_default: 1,
        ..GraphOptions::default()
    };
    let graph = squares.links(&squares.sections().expect("shipped"), false).expect("options that can be");
    assert_eq!([1, 2, 4, 9, 10, 100].map(|id| graph.total(id)), [2, 1, 4, 6, 1, 20]);
}

#[test]
fn choices_by_arithmetic_stay_in_range_and_hit_what_they_say() {
    let mut rng = Rng::keyed(&[3]);
    for number in 0..5_000 {
        let place = Place { terminal: 1, terminals: 4, number };
        let mut id = |choice: Arithmetic| {
            let id = choice.id(10, 1_010, place, &mut rng);
            assert!((10..1_010).contains(&id), "{choice:?}: {id}");
            id
        };
        assert_eq!(id(Arithmetic::RoundRobin), 10 + (250 + number) % 1_000);
        id(Arithmetic::Reciprocal);
        let multiple = id(Arithmetic::Multiple(7));
        assert!(multiple.is_multiple_of(7) || multiple == 1_009);
        let power = id(Arithmetic::Power(2));
        assert!(power.is_power_of_two() || power == 1_009);
        let square = id(Arithmetic::PerfectPower(2));
        assert!(square.isqrt().pow(2) == square || square == 1_009);
    }
}

#[test]
fn files_in_the_original_form_are_read_and_faults_named() {
    let parse = |text: &str| Sections::parse(text, "data_file: d.dat");
    let links =
        parse("nlinks\n0 50\n3 90.0\n7 100\n").expect("a good file").get(Section::Links).expect("there");
    // The first point that reaches the share, as it is.
    assert_eq!([0.5, 0.51, 0.9, 0.91, 1.0].map(|u| links.value(u)), [0, 3, 3, 7, 7]);
    for (text, message) in [
        ("nlink\n", "data_file: d.dat, line 1: no section is called \"nlink\"; there are nlinks"),
        ("0 50\n", "data_file: d.dat, line 1: a point before the name of a section"),
        ("nlinks\n0 x\n", "data_file: d.dat, line 2: a value and a percentage are numbers"),
        ("nlinks\n0 50\n0 60\n", "data_file: d.dat, line 3: values and percentages rise"),
        ("nlinks\n0 50\n1 60\n", "data_file: d.dat: section nlinks ends below 100 %"),
        ("nlinks\n0 50 1 2\n", "data_file: d.dat, line 2: a value and a percentage, not"),
    ] {
        let error = parse(text).expect_err("refused").0;
        assert!(error.starts_with(message), "{error}");
    }
}
