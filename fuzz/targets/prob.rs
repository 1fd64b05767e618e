//! Replies of ProB: frames are what lies between bytes 255. What is no reply has a place and a message.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::kinds::pins::prob::{described, flag, states};

fuzz_target!(|data: &[u8]| {
    let frames: Vec<Vec<u8>> = data.split(|&byte| byte == 255).map(<[u8]>::to_vec).collect();
    match described(&frames) {
        Ok(described) => {
            assert_eq!(described.root.len(), described.variables.len());
            assert!(!described.groups.is_empty());
        }
        Err(nonsense) => assert!(nonsense.frame > 0 && !nonsense.message.is_empty()),
    }
    for width in 0..3 {
        if let Ok(states) = states(&frames, "get-next-state", width) {
            assert!(states.iter().all(|state| state.len() == width));
        }
    }
    let _no_flag = flag(&frames, "get-state-label");
});
