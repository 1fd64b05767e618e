//! The store, and what must be true of it.

#[path = "../../../src/explicit/store/mod.rs"]
pub(crate) mod store;

#[cfg(loom)]
use {
    loom::sync::Arc,
    store::{Batch, Inserted, Packing, StateId, Store, Writer},
};

/// Insert two keys, one by one, in this order, and read them again.
#[cfg(loom)]
fn insert(store: &Store, keys: [&Vec<u64>; 2], mut writer: Writer) -> [(StateId, bool); 2] {
    keys.map(|key| {
        let mut batch = Batch::default();
        batch.clear(key.len());
        store.begin(0, &mut vec![0; key.len()], &mut batch);
        batch.push(key);
        store.insert_all_shared(&mut batch, &mut writer).expect("there is room");
        let inserted = batch.inserted()[0];
        let mut read = vec![0; key.len()];
        store.get(inserted.id(), &mut read);
        assert_eq!(&read, key);
        (inserted.id(), matches!(inserted, Inserted::New(_)))
    })
}

/// Both threads agree on the number of each key, and one of them says that it is new.
#[cfg(loom)]
pub(crate) fn insert_from_two_threads(bits: u32, keys: &[Vec<u64>; 2]) {
    let mut store = Store::new(bits, Packing::Dense, u64::MAX);
    // So many that numbers of all widths that are needed fit.
    for n in 0..260 {
        store.insert(&vec![(n << 20) | 0xFFF; keys[0].len()]).expect("there is room");
    }
    let writers: [Writer; 2] = store.share(2).expect("there is room").try_into().expect("two writers");
    let [mine, other] = writers;
    let store = Arc::new(store);
    let thread = {
        let (store, keys) = (store.clone(), keys.clone());
        loom::thread::spawn(move || insert(&store, [&keys[1], &keys[0]], other))
    };
    let mine = insert(&store, [&keys[0], &keys[1]], mine);
    let [second, first] = thread.join().expect("the thread ends");
    for (one, two) in [(mine[0], first), (mine[1], second)] {
        assert_eq!(one.0, two.0);
        assert!(one.1 != two.1);
    }
    assert_ne!(mine[0].0, mine[1].0);
}
