//! No file crashes the library, and each error names the line.

use crate::moordyn::rods::RODS;
use crate::moordyn::{V1, V2, load};

/// Pseudo-random numbers (xorshift), the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

/// Loads arbitrary bytes. Panics if the library does, or if an error names no line.
fn survives(bytes: &[u8]) -> bool {
    match load(bytes) {
        Ok(_) => true,
        Err(error) => {
            assert!(error.to_string().contains("lines.txt\" line "), "{error}\n{}", String::from_utf8_lossy(bytes));
            false
        }
    }
}

#[test]
fn bytes_of_any_kind() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for _ in 0..300 {
        let length = dice.roll(400);
        let bytes: Vec<u8> = (0..length).map(|_| dice.roll(256) as u8).collect();
        assert!(!survives(&bytes));
    }
}

#[test]
fn files_with_a_few_wrong_signs() {
    let signs = b"\0 \t,#!%|-+.eEdD()\"'\n09azAZ\xff";
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let (mut accepted, tries) = (0, 1500);
    for _ in 0..tries {
        let mut bytes = [V1, V2, RODS][dice.roll(3)].as_bytes().to_vec();
        for _ in 0..=dice.roll(3) {
            let at = dice.roll(bytes.len());
            match dice.roll(3) {
                0 => bytes[at] = signs[dice.roll(signs.len())],
                1 => bytes.insert(at, signs[dice.roll(signs.len())]),
                _ => drop(bytes.remove(at)),
            }
        }
        accepted += i32::from(survives(&bytes));
    }
    assert!(accepted > tries / 20, "blanks and remarks may change: {accepted} of {tries}");
}

#[test]
fn files_with_lines_and_words_in_other_places() {
    let mut dice = Dice(0x1234_5678_9abc_def1);
    for _ in 0..1000 {
        let mut lines: Vec<&str> = [V1, V2, RODS][dice.roll(3)].lines().collect();
        for _ in 0..=dice.roll(2) {
            let (a, b) = (dice.roll(lines.len()), dice.roll(lines.len()));
            match dice.roll(3) {
                0 => lines.swap(a, b),
                1 => drop(lines.remove(a)),
                _ => lines.insert(a, lines[b]),
            }
        }
        survives(lines.join("\n").as_bytes());
        let line = lines.remove(dice.roll(lines.len()));
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if !words.is_empty() {
            words.remove(dice.roll(words.len()));
        }
        let words = words.join(" ");
        let at = dice.roll(lines.len() + 1);
        lines.insert(at, &words);
        survives(lines.join("\n").as_bytes());
    }
}

#[test]
fn files_that_end_anywhere() {
    for text in [V1, V2, RODS] {
        for end in 0..text.len() {
            survives(&text.as_bytes()[..end]);
        }
    }
}
