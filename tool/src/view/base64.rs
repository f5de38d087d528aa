//! Bytes as text: base64 (RFC 4648).

/// The text of some bytes.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, k| bits << 8 | u32::from(group.get(k).copied().unwrap_or(0)));
        let digit = |k: usize| char::from(DIGITS[(bits >> (18 - 6 * k) & 63) as usize]);
        text.extend((0..4).map(|k| if k <= group.len() { digit(k) } else { '=' }));
    }
    text
}
