//! The tally by tables: which interval a record is counted in, and what of it lies in the window.

use assay_tally::{Scheduled, Times};

use super::*;

const INTERVAL: u64 = 100;
/// Labels: transaction, a statement, two kinds, renewals.
const STATEMENT: usize = 1;
const RENEWAL: usize = 4;

fn shape(scheduled: Scheduled) -> Shape {
    Shape { labels: 5, first_kind: 2, kinds: 2, counters: 1, scheduled, thinks: false }
}

/// An interval that is over: phase, start, end, and what was counted.
type Interval = (Phase, u64, u64, Box<Recorder>);

/// A load from 0 on, with a window of this place and length, and what its tally says.
struct Load {
    edges: Edges,
    tally: Tally,
    intervals: Vec<Interval>,
}

impl Load {
    fn new(scheduled: Scheduled, window: u64, length: Option<u64>) -> Self {
        let measure_end = length.map_or(UNKNOWN, |length| window + length);
        let edges = Edges { start: 0, measure_start: window, measure_end };
        let mut tally = Tally::new(shape(scheduled), 2, scheduled == Scheduled::All);
        tally.begin(edges, INTERVAL);
        Self { edges, tally, intervals: Vec::new() }
    }

    fn rotate(&mut self, now: u64) {
        while let Some(stretch) = self.tally.over(now, self.edges) {
            let fresh = Box::new(Recorder::new(self.tally.shape));
            let recorder = self.tally.close(fresh, self.edges, INTERVAL);
            self.intervals.push((stretch.phase, stretch.start, stretch.end, recorder));
        }
    }

    fn push(&mut self, ended: EndedOperation) {
        self.rotate(ended.times.ended);
        self.tally.push(ended);
    }

    fn transaction(&mut self, scheduled: u64, started: u64, ended: u64) {
        let times = Times { scheduled, started, ended };
        self.push(EndedOperation::operation(What::Transaction, 0, Some(2), times));
    }

    fn end(mut self, now: u64) -> (Vec<Interval>, Totals) {
        self.rotate(now);
        let (stretch, recorder) = self.tally.cut(now, self.edges);
        self.intervals.push((stretch.phase, stretch.start, stretch.end, recorder));
        (self.intervals, self.tally.totals())
    }
}

/// Phase, start, end and transactions of each interval.
fn told(intervals: &[Interval]) -> Vec<(Phase, u64, u64, u64)> {
    let told = intervals.iter().map(|(phase, start, end, recorder)| {
        let counted = recorder.counts.transactions;
        assert_eq!(
            recorder.labels[TRANSACTION].service.count(),
            counted,
            "counts are those of the histogram"
        );
        assert_eq!(recorder.labels[2].service.count(), counted, "and those of their kind");
        (*phase, *start, *end, counted)
    });
    told.collect()
}

#[test]
fn a_transaction_is_counted_where_it_ended() {
    use Phase::{Drain, Measure, Warmup};
    // Warm-up to 150, window to 350; the last instants at which transactions ended, and how many there are in each
    // interval: warm-up to 100 and 150, window to 250 and 350, drain.
    let table: [(&[u64], [u64; 5]); 7] = [
        (&[], [0; 5]),
        (&[99, 149, 249, 349, 390], [1, 1, 1, 1, 1]),
        // An interval ends before its end: what ends there is in the next.
        (&[100, 150, 250, 350], [0, 1, 1, 1, 1]),
        // Intervals in which nothing ended are there.
        (&[349], [0, 0, 0, 1, 0]),
        (&[380], [0, 0, 0, 0, 1]),
        (&[149, 150, 150, 350, 351], [0, 1, 2, 0, 2]),
        (&[0, 0, 99], [3, 0, 0, 0, 0]),
    ];
    for (ends, counts) in table {
        let mut load = Load::new(Scheduled::Nothing, 150, Some(200));
        for ended in ends {
            load.transaction(ended.saturating_sub(30), ended.saturating_sub(30), *ended);
        }
        let (intervals, totals) = load.end(400);
        let edges = [
            (Warmup, 0, 100),
            (Warmup, 100, 150),
            (Measure, 150, 250),
            (Measure, 250, 350),
            (Drain, 350, 400),
        ];
        let expected: Vec<_> = edges
            .into_iter()
            .zip(counts)
            .map(|((phase, start, end), count)| (phase, start, end, count))
            .collect();
        assert_eq!(told(&intervals), expected, "{ends:?}");
        assert_eq!(totals.operations, [counts[2] + counts[3], 0], "{ends:?}: by connection, in the window");
    }
}

#[test]
fn time_in_flight_is_cut_by_the_window() {
    // Started, ended; how much of it lies in the window from 150 to 350.
    for (started, ended, inside) in [
        (10, 90, 0),
        (100, 160, 10),
        (150, 350, 200),
        (100, 390, 200),
        (340, 380, 10),
        (350, 380, 0),
        (200, 200, 0),
    ] {
        let mut load = Load::new(Scheduled::Nothing, 150, Some(200));
        load.transaction(started, started, ended);
        assert_eq!(load.end(400).1.busy_ns, inside, "from {started} to {ended}");
    }
}

#[test]
fn however_many_records_there_are_none_is_lost_or_moved() {
    // Records that are made before they go into the histograms: fewer and more than there is room for.
    for (step, batch) in [(1, 1), (3, 10), (7, 4 * ROOM)] {
        let mut load = Load::new(Scheduled::Nothing, 100, Some(900));
        let ends: Vec<u64> =
            (0..1000).flat_map(|instant| vec![instant; (instant % step) as usize + 1]).collect();
        for batch in ends.chunks(batch) {
            for ended in batch {
                load.transaction(*ended, *ended, *ended);
            }
            load.tally.settle(load.edges);
        }
        let (intervals, _) = load.end(1000);
        for (phase, start, end, count) in told(&intervals) {
            let expected = ends.iter().filter(|ended| (start..end).contains(*ended)).count();
            assert_eq!(count, expected as u64, "{phase:?} from {start} to {end}");
        }
        assert_eq!(intervals.len(), 11);
    }
}

#[test]
fn an_early_end_divides_the_records_of_a_batch() {
    let mut load = Load::new(Scheduled::Nothing, 0, Some(1000));
    for ended in [110, 120] {
        load.transaction(100, 100, ended);
    }
    // Heard while they wait in the buffer.
    load.edges.measure_end = 125;
    load.transaction(100, 100, 130);
    let (intervals, totals) = load.end(140);
    let expected = [(Phase::Measure, 0, 100, 0), (Phase::Measure, 100, 125, 2), (Phase::Drain, 125, 140, 1)];
    assert_eq!(told(&intervals), expected);
    assert_eq!((totals.operations[0], totals.busy_ns), (2, 10 + 20 + 25));
}

#[test]
fn the_window_of_an_open_loop_goes_by_what_was_wanted_in_it() {
    // Wanted, ended; whether it is in the window from 150 to 350, and whether it ended in it as well.
    for (wanted, ended, windowed, inside) in [
        (140, 160, false, false),
        (150, 160, true, true),
        (349, 390, true, false),
        (350, 390, false, false),
        (20, 90, false, false),
    ] {
        let mut load = Load::new(Scheduled::All, 150, Some(200));
        load.transaction(wanted, wanted + 5, ended);
        let (intervals, totals) = load.end(400);
        let window = totals.window.expect("an open loop has one");
        for label in [TRANSACTION, 2] {
            let (wait, response) = &**window.labels[label].open.as_ref().expect("a schedule");
            let figures = (window.labels[label].service.count(), wait.max_ns(), response.max_ns());
            let expected = if windowed { (1, 5, ended - wanted) } else { (0, 0, 0) };
            assert_eq!(figures, expected, "wanted at {wanted}, ended at {ended}: label {label}");
        }
        let inside_of_kind: u64 = intervals.iter().map(|(.., recorder)| recorder.kinds[0].inside).sum();
        assert_eq!(inside_of_kind, u64::from(inside), "wanted at {wanted}, ended at {ended}");
    }
}

#[test]
fn statements_are_counted_by_what_came_of_them_and_how_late_they_were_read() {
    let outcome =
        |result_set, affected_rows| assay_wire::Outcome { result_set, affected_rows, ..Default::default() };
    let mut load = Load::new(Scheduled::Nothing, 0, None);
    let times = Times { scheduled: 10, started: 10, ended: 50 };
    for (result_set, affected_rows, waited) in
        [(true, 0, 0), (true, 9, 30), (false, 1, 5), (false, 0, 0), (false, 0, 50), (false, 0, 1)]
    {
        let what = What::of(&outcome(result_set, affected_rows));
        load.push(EndedOperation::statement(what, STATEMENT, times, waited));
    }
    let (intervals, _) = load.end(90);
    let recorder = &intervals[0].3;
    assert_eq!((recorder.counts.reads, recorder.counts.writes, recorder.counts.other), (2, 1, 3));
    assert_eq!((recorder.counts.transactions, recorder.labels[STATEMENT].service.count()), (0, 6));
    let reading = &recorder.reading;
    assert_eq!((reading.count(), reading.max_ns(), reading.quantile_ns(0.5)), (6, 50, 1));
}

#[test]
fn work_left_for_later_and_renewals_are_no_transactions() {
    let mut load = Load::new(Scheduled::Nothing, 0, None);
    let times = Times { scheduled: 5, started: 10, ended: 50 };
    load.push(EndedOperation::operation(What::Deferred, 1, Some(3), times));
    load.push(EndedOperation::renewal(RENEWAL, 60, 85));
    let (intervals, totals) = load.end(90);
    let recorder = &intervals[0].3;
    let counts = &recorder.counts;
    assert_eq!((counts.transactions, counts.queries(), counts.renewals, counts.thinking_ns), (0, 0, 1, 25));
    let counted: Vec<u64> = recorder.labels.iter().map(|label| label.service.count()).collect();
    assert_eq!(counted, [0, 0, 0, 1, 1]);
    assert_eq!((recorder.reading.count(), recorder.kinds[1].inside), (0, 1));
    assert_eq!((totals.operations, totals.busy_ns), (vec![0, 0], 0));
}

#[test]
fn what_an_operation_counts_itself_is_added_with_its_failed_tries() {
    let mut load = Load::new(Scheduled::Nothing, 0, None);
    for (kind, retry_ns) in [(Some(KindId(1)), 7), (Some(KindId(1)), 0), (None, 3)] {
        let mut operation = Operation::new(1, 0, 0);
        operation.kind = kind;
        operation.counts[0] = 5;
        load.tally.add(&operation, retry_ns);
    }
    load.tally.counts().error(1213);
    let (intervals, _) = load.end(90);
    let recorder = &intervals[0].3;
    assert_eq!((recorder.counters[0], recorder.kinds[1].retry_ns, recorder.kinds[0].retry_ns), (15, 7, 0));
    assert_eq!(recorder.counts.errors, [(1213, 1)].into());
}
