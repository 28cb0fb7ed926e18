//! The content that all peers and Ebb's tests agree on: SplitMix64, each number as 8 bytes, little-endian.

use sha2::{Digest, Sha256};

pub struct SeededStream {
    state: u64,
    word: [u8; 8],
    used: usize,
}

impl SeededStream {
    pub fn new(seed: u64) -> Self {
        SeededStream { state: seed, word: [0; 8], used: 8 }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn fill(&mut self, buffer: &mut [u8]) {
        for byte in buffer {
            if self.used == 8 {
                self.word = self.next().to_le_bytes();
                self.used = 0;
            }
            *byte = self.word[self.used];
            self.used += 1;
        }
    }
}

pub fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

pub fn sha256_of_stream(seed: u64, bytes: u64) -> String {
    let mut stream = SeededStream::new(seed);
    let mut hash = Sha256::new();
    let mut left = bytes;
    let mut chunk = vec![0; 65536];
    while left > 0 {
        let n = left.min(chunk.len() as u64) as usize;
        stream.fill(&mut chunk[..n]);
        hash.update(&chunk[..n]);
        left -= n as u64;
    }
    hex(hash)
}
