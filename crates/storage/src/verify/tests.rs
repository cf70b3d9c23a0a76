//! Disks that forget, made up: what is found is what was forgotten.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::ledger::{Account, Origin};
use crate::pattern::Pattern;
use crate::spec::{Access, Blocks, Distribution, Order};

const BLOCK: u32 = 1024;

fn origin(files: u32, blocks: u64, seed: u64) -> Origin {
    Origin {
        format: 1,
        job: "made up".into(),
        run: 77,
        seed,
        number: 0,
        clone: 0,
        space: Space { files, file_bytes: 512 + blocks * u64::from(BLOCK), from: 512 },
        access: Access {
            order: Order::Random,
            read_share: 0.0,
            distribution: Distribution::Uniform,
            read_blocks: Blocks::One(BLOCK),
            write_blocks: Blocks::One(BLOCK),
        },
        durable_writes: false,
        boot: String::new(),
    }
}

/// Where each write goes, by number from 1.
fn places(origin: &Origin, writes: u64) -> Vec<(u32, u64)> {
    let mut pattern = Pattern::new(&origin.access, origin.space, [origin.seed, 0, 0], 1);
    (0..writes).map(|_| pattern.request()).map(|request| (request.file, request.offset)).collect()
}

/// Files that hold these writes and nothing else.
fn lay(folder: &std::path::Path, origin: &Origin, held: &BTreeMap<(u32, u64), u64>) -> Vec<PathBuf> {
    let mut contents = vec![vec![0; origin.space.file_bytes as usize]; origin.space.files as usize];
    for ((file, offset), write) in held {
        let at = *offset as usize..*offset as usize + BLOCK as usize;
        let stamp = Stamp { file: *file, offset: *offset, run: origin.run, write: *write };
        stamp::write(&mut contents[*file as usize][at], stamp);
    }
    let paths = (0..contents.len()).map(|number| folder.join(number.to_string()));
    let named: Vec<_> = paths.zip(contents).collect();
    for (path, content) in &named {
        std::fs::write(path, content).unwrap();
    }
    named.into_iter().map(|(path, _)| path).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A disk that keeps what was durable and forgets any of the rest is never blamed; what it forgot is counted. One
    /// that forgets a durable write is blamed for that block alone.
    #[test]
    fn a_disk_is_blamed_for_what_it_promised_and_for_nothing_else(
        files in 1u32..4, blocks in 1u64..12, seed: u64,
        durable in 0u64..80, more in proptest::collection::vec((any::<bool>(), any::<bool>()), 0..40),
    ) {
        let origin = origin(files, blocks, seed);
        let begun = durable + more.len() as u64;
        let mut account = Account { acknowledged: durable, durable, begun, ..Account::default() };
        let (mut held, mut wanted, mut sure) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for (number, place) in (1..).zip(places(&origin, begun)) {
            let (acknowledged, landed) =
                if number <= durable { (true, true) } else { more[(number - durable) as usize - 1] };
            if acknowledged && number > durable {
                account.beyond.insert(number);
            }
            if acknowledged {
                wanted.insert(place, number);
            }
            if number <= durable {
                sure.insert(place, number);
            }
            if landed {
                held.insert(place, number);
            }
        }
        let expected = Expected::new(&origin, &account, true);
        // Each file is made durable before it is read back: in memory that costs nothing.
        let memory = std::path::Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
        let found = |held: &BTreeMap<_, _>| {
            let paths = lay(folder.path(), &origin, held);
            read_back(&paths, origin.space, BLOCK, Some(&expected), || false).unwrap()
        };
        let older = |place: &(u32, u64), number: &u64| held.get(place).is_none_or(|write| write < number);
        let lost = wanted.iter().filter(|(place, number)| older(place, number)).count() as u64;
        let kept = found(&held);
        prop_assert_eq!((kept.bad, kept.lost, kept.torn), (0, lost, 0));
        prop_assert_eq!(kept.whole + kept.blank + kept.lost, u64::from(files) * blocks);
        for (place, number) in &sure {
            let mut forgot = held.clone();
            match places(&origin, number - 1).iter().rposition(|other| other == place) {
                Some(before) => forgot.insert(*place, before as u64 + 1),
                None => forgot.remove(place),
            };
            let blamed = found(&forgot);
            prop_assert_eq!((blamed.bad, blamed.lost_durable), (1, 1));
            prop_assert_eq!((blamed.described[0].flaw, blamed.described[0].offset), (Flaw::LostDurable, place.1));
        }
    }
}
