//! A list of lists of indices, stored flat.

/// Lists `0..len`, each a slice of indices.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub(super) fn with_capacity(lists: usize, items: usize) -> Self {
        Lists { ends: Vec::with_capacity(lists), items: Vec::with_capacity(items) }
    }

    pub(super) fn push(&mut self, items: &[u32]) {
        self.items.extend_from_slice(items);
        self.ends.push(self.items.len() as u32);
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn item_count(&self) -> usize {
        self.items.len()
    }

    pub(super) fn get(&self, list: usize) -> &[u32] {
        let start = if list == 0 { 0 } else { self.ends[list - 1] as usize };
        &self.items[start..self.ends[list] as usize]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|i| self.get(i))
    }

    /// For each item below `items`, the lists it occurs in, in order.
    pub(super) fn transposed(&self, items: usize) -> Lists {
        let mut ends = vec![0u32; items];
        for &i in &self.items {
            ends[i as usize] += 1;
        }
        let mut sum = 0;
        for e in &mut ends {
            sum += *e;
            *e = sum - *e;
        }
        // `ends` holds the starts now and moves to the ends while the lists fill.
        let mut transposed = vec![0u32; self.items.len()];
        for (list, members) in self.iter().enumerate() {
            for &i in members {
                let at = &mut ends[i as usize];
                transposed[*at as usize] = list as u32;
                *at += 1;
            }
        }
        Lists { ends, items: transposed }
    }
}
