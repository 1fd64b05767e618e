#![allow(clippy::unwrap_used)]

use super::*;
use crate::rng::Rng;
use std::collections::HashMap;
use std::sync::RwLock;

/// Bytes of a store that is too small; Miri takes its time.
const LIMIT: u64 = if cfg!(miri) { 6_000 } else { 100_000 };

/// A key of so many bits in which few distinct parts recur, so that keys do.
fn random_key(rng: &mut Rng, bits: u32) -> Vec<u64> {
    let mut key: Vec<u64> = (0..bits.div_ceil(64).max(1)).map(|_| (rng.bits() >> 61) * 0x1249_2492_4924_9249).collect();
    let words = key.len();
    if bits < 64 * words as u32 {
        key[words - 1] &= (1 << (bits % 64)) - 1;
    }
    key
}

/// Keys of many widths against a standard map, through growing tables and fields.
#[test]
fn behaves_like_a_map() {
    let rounds = if cfg!(miri) { 300 } else { 20_000 };
    let bits = [0, 1, 7, 32, 40, 41, 63, 64, 65, 100, 128, 129, 200, 300, 640];
    for (bits, packing) in bits.into_iter().flat_map(|bits| [(bits, Packing::Dense), (bits, Packing::Quick)]) {
        let mut store = Store::new(bits, packing, u64::MAX);
        let mut map: HashMap<Vec<u64>, u32> = HashMap::new();
        let mut rng = Rng::new(7);
        for round in 0..rounds as u64 {
            let mut key = random_key(&mut rng, bits);
            if round % 2 == 0 && bits > 16 {
                key[0] = round & 0xFFFF;
            }
            assert_eq!(store.find(&key), map.get(&key).copied());
            match store.insert(&key).unwrap() {
                Inserted::Old(id) => assert_eq!(Some(&id), map.get(&key)),
                Inserted::New(id) => {
                    assert_eq!(id as usize, map.len());
                    assert_eq!(map.insert(key, id), None);
                }
            }
        }
        assert_eq!(store.len() as usize, map.len());
        for (key, &id) in &map {
            let mut found = vec![u64::MAX; key.len()];
            store.get(id, &mut found);
            assert_eq!((&found, store.find(key)), (key, Some(id)));
        }
    }
}

#[test]
fn stops_at_the_memory_limit_and_goes_on_with_more() {
    let limit = 2 * LIMIT;
    for bits in [40, 90] {
        let key = |k: u64| [(k * 0x123) & 0xFF_FFFF_FFFF, k & 0xFF];
        let mut store = Store::new(bits, Packing::Dense, limit);
        let end = (0..).find(|&k| store.insert(&key(k)[..bits.div_ceil(64) as usize]).is_err()).unwrap();
        assert!(store.bytes() <= limit && u64::from(store.len()) > limit / 40, "{} {}", store.bytes(), store.len());
        assert_eq!(u64::from(store.len()), end);
        store.set_limit(5 * limit);
        for k in 0..2 * end {
            assert_eq!(store.insert(&key(k)[..bits.div_ceil(64) as usize]).unwrap().id(), k as u32);
        }
    }
}

/// The purpose of the brief store.
#[test]
fn is_small() {
    let mut store = Store::new(38, Packing::Dense, u64::MAX);
    let many = if cfg!(miri) { return } else { 400_000 };
    for k in 0..many {
        store.insert(&[(k * 0x9E37) & 0x3F_FFFF_FFFF]).unwrap();
    }
    assert!(store.bytes() < 11 * many, "{}", store.bytes());
    // Two halves that vary independently of each other.
    let mut store = Store::new(128, Packing::Dense, u64::MAX);
    for k in 0..many {
        store.insert(&[(k % 1000) << 40, (k / 1000) << 30]).unwrap();
    }
    assert!(store.bytes() < 9 * many, "{}", store.bytes());
}

/// Batches give the numbers that single insertions would, and know the parts of the states that they begin with.
#[test]
fn batches_are_many_insertions() {
    let rounds = if cfg!(miri) { 20 } else { 2_000 };
    for bits in [0, 7, 64, 65, 128, 129, 300, 640] {
        let [mut one, mut other] = [(); 2].map(|()| Store::new(bits, Packing::Dense, u64::MAX));
        let (mut rng, mut batch) = (Rng::new(9), Batch::default());
        let words = bits.div_ceil(64).max(1) as usize;
        one.insert(&vec![0; words]).unwrap();
        other.insert(&vec![0; words]).unwrap();
        for round in 0..rounds {
            batch.clear(words);
            let mut keys = Vec::new();
            for _ in 0..rng.bits() % 4 {
                let id = rng.bits() as u32 % other.len();
                let mut origin = vec![u64::MAX; words];
                other.begin(id, &mut origin, &mut batch);
                let mut read = vec![0; words];
                one.get(id, &mut read);
                assert_eq!(origin, read);
                for _ in 0..rng.bits() % 20 {
                    // Like its origin, mostly; some keys come twice.
                    let mut key = random_key(&mut rng, bits);
                    let part = rng.bits() as usize % words;
                    if rng.bits() % 3 != 0 {
                        (0..words).filter(|&word| word != part).for_each(|word| key[word] = origin[word]);
                    }
                    if bits > 16 && rng.bits() % 2 == 0 {
                        key[0] = key[0] & !0xFFFF | round & 0xFFFF;
                    }
                    batch.push(&key);
                    keys.push(key);
                }
            }
            if rng.bits() % 8 == 0 {
                keys.pop();
                batch.truncate(keys.len());
            }
            let expected: Vec<Inserted> = keys.iter().map(|key| one.insert(key).unwrap()).collect();
            other.insert_all(&mut batch).unwrap();
            assert_eq!(batch.inserted(), expected);
        }
        assert_eq!(one.len(), other.len());
    }
}

/// A batch that finds no room is inserted up to some key.
#[test]
fn a_batch_stops_at_the_memory_limit() {
    for bits in [40, 90] {
        let mut store = Store::new(bits, Packing::Dense, LIMIT);
        let words = bits.div_ceil(64) as usize;
        let key = |k: u64| [(k * 0x123) & 0xFF_FFFF_FFFF, k & 0xFF];
        let (mut batch, mut expected) = (Batch::default(), Vec::new());
        store.insert(&key(0)[..words]).unwrap();
        let mut next = 1;
        loop {
            batch.clear(words);
            store.begin(0, &mut [0; 2], &mut batch);
            (next..next + 50).for_each(|k| batch.push(&key(k)[..words]));
            let ended = store.insert_all(&mut batch);
            expected.extend_from_slice(batch.inserted());
            next += 50;
            if ended.is_err() {
                break;
            }
        }
        assert!(expected.len() as u64 > LIMIT / 50 && expected.len() < next as usize - 1);
        assert!(expected.iter().zip(1..).all(|(&inserted, id)| inserted == Inserted::New(id)));
        assert_eq!(store.len() as usize, expected.len() + 1);
    }
}

/// Threads that insert the same keys in different orders agree on the number of each.
#[test]
fn threads_agree() {
    let (threads, keys) = if cfg!(miri) { (2, 60) } else { (4, 30_000) };
    for bits in [40, 64, 100, 300] {
        let mut rng = Rng::new(11);
        let keys: Vec<Vec<u64>> = (0..keys)
            .map(|n| {
                let mut key = random_key(&mut rng, bits);
                key[0] = key[0] & !0xFFFF | (n % 0xFFFF);
                key
            })
            .collect();
        let mut store = Store::new(bits, Packing::Dense, u64::MAX);
        // Some are there before.
        for key in &keys[..40] {
            store.insert(key).unwrap();
        }
        let writers = store.share(threads).unwrap();
        let shared = RwLock::new(store);
        let found: Vec<Vec<(u32, bool)>> = std::thread::scope(|scope| {
            let threads = writers.into_iter().enumerate().map(|(thread, mut writer)| {
                let (shared, keys) = (&shared, &keys);
                scope.spawn(move || {
                    let mut found = vec![(u32::MAX, false); keys.len()];
                    let (mut batch, mut next) = (Batch::default(), 0);
                    let number = |k: usize| (k * (2 * thread + 1) + 17 * thread) % keys.len();
                    while next < keys.len() {
                        batch.clear(bits.div_ceil(64) as usize);
                        let (store, mut key) = (shared.read().unwrap(), keys[0].clone());
                        store.begin(thread as u32, &mut key, &mut batch);
                        (next..keys.len().min(next + 30)).for_each(|k| batch.push(&keys[number(k)]));
                        let ended = store.insert_all_shared(&mut batch, &mut writer);
                        drop(store);
                        for &inserted in batch.inserted() {
                            let found = &mut found[number(next)];
                            *found = (inserted.id(), found.1 || matches!(inserted, Inserted::New(_)));
                            next += 1;
                        }
                        if let Err(refusal) = ended {
                            shared.write().unwrap().make_room(refusal, threads).unwrap();
                        }
                    }
                    found
                })
            });
            threads.collect::<Vec<_>>().into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let store = shared.into_inner().unwrap();
        let mut ids: HashMap<&Vec<u64>, u32> = HashMap::new();
        for (k, key) in keys.iter().enumerate() {
            let mut read = vec![0; key.len()];
            let id = store.find(key).unwrap();
            store.get(id, &mut read);
            assert_eq!(&read, key);
            assert!(found.iter().all(|found| found[k].0 == id || found[k].0 == u32::MAX));
            ids.insert(key, id);
        }
        let new: usize = found.iter().flatten().filter(|found| found.1).count();
        let before = keys[..40].iter().collect::<std::collections::HashSet<_>>().len();
        assert_eq!(new + before, ids.len());
        let different: std::collections::HashSet<u32> = ids.values().copied().collect();
        assert_eq!(different.len(), ids.len());
    }
}
