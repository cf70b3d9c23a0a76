//! A certificate as far as its key: DER (X.690) read down to the `SubjectPublicKeyInfo` (RFC 5280, section 4.1).

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const SEQUENCE: u8 = 0x30;
/// `[0] EXPLICIT Version`, which version 1 leaves out.
const VERSION: u8 = 0xA0;

/// The public key of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PublicKey<'a> {
    /// The `SubjectPublicKeyInfo` as it stands in the certificate.
    pub(super) whole: &'a [u8],
    /// The contents of its `AlgorithmIdentifier`.
    pub(super) algorithm: &'a [u8],
    /// The key itself.
    pub(super) bits: &'a [u8],
}

impl<'a> PublicKey<'a> {
    /// The key of a certificate, whatever its version; `None` where the bytes are no certificate.
    pub(super) fn of(certificate: &'a [u8]) -> Option<Self> {
        let mut fields = to_be_signed(certificate)?;
        fields.skip_if(VERSION);
        // Serial number, signature algorithm, issuer, validity, subject.
        for tag in [INTEGER, SEQUENCE, SEQUENCE, SEQUENCE, SEQUENCE] {
            fields.next(tag)?;
        }
        let whole = fields.next(SEQUENCE)?;
        let mut parts = Der(whole.contents);
        let algorithm = parts.next(SEQUENCE)?.contents;
        // The first byte is the number of unused bits: a key is whole bytes.
        let bits = parts.next(BIT_STRING)?.contents.strip_prefix(&[0])?;
        Some(Self { whole: whole.bytes, algorithm, bits })
    }
}

/// Whether the bytes are a certificate of version 1.
pub(super) fn is_version_1(certificate: &[u8]) -> bool {
    to_be_signed(certificate).is_some_and(|fields| fields.0.first() == Some(&INTEGER))
}

/// The fields of a certificate that are signed.
fn to_be_signed(certificate: &[u8]) -> Option<Der<'_>> {
    let outer = Der(certificate).next(SEQUENCE)?.contents;
    Some(Der(Der(outer).next(SEQUENCE)?.contents))
}

/// Values in DER, one behind another.
#[derive(Debug, Clone, Copy)]
struct Der<'a>(&'a [u8]);

/// A value: with its tag and length, and what is in it.
struct Element<'a> {
    bytes: &'a [u8],
    contents: &'a [u8],
}

impl<'a> Der<'a> {
    /// Takes the next value, which must have this tag.
    fn next(&mut self, tag: u8) -> Option<Element<'a>> {
        let (first, rest) = self.0.split_first()?;
        if *first != tag {
            return None;
        }
        let (length, rest) = length(rest)?;
        let (contents, after) = rest.split_at_checked(length)?;
        let bytes = &self.0[..self.0.len() - after.len()];
        self.0 = after;
        Some(Element { bytes, contents })
    }

    fn skip_if(&mut self, tag: u8) {
        let _ = self.next(tag);
    }
}

/// The length in front of a value's contents, and what follows it.
fn length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        return Some((first.into(), rest));
    }
    // Certificates come in records of at most 16 MiB: three bytes of length.
    let (digits, rest) =
        rest.split_at_checked(usize::from(first & 0x7F)).filter(|(digits, _)| digits.len() <= 3)?;
    Some((digits.iter().fold(0, |sum, digit| sum << 8 | usize::from(*digit)), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value with its tag and length.
    fn value(tag: u8, contents: &[u8]) -> Vec<u8> {
        let length = u16::try_from(contents.len()).expect("a short value").to_be_bytes();
        let mut out = vec![tag];
        match length {
            [0, short] if short < 0x80 => out.push(short),
            [high, low] => out.extend([0x82, high, low]),
        }
        out.extend_from_slice(contents);
        out
    }

    fn certificate(version: &[u8], key: &[u8]) -> Vec<u8> {
        let name = value(SEQUENCE, &[b'n'; 300]);
        let before =
            [version, &value(INTEGER, &[1]), &value(SEQUENCE, b"how"), &name, &value(SEQUENCE, b""), &name];
        let signed = value(SEQUENCE, &[before.concat(), key.to_vec()].concat());
        value(SEQUENCE, &[signed, value(SEQUENCE, b"how"), value(BIT_STRING, b"\0signature")].concat())
    }

    #[test]
    fn the_key_is_found_in_every_version() {
        let key = value(SEQUENCE, &[value(SEQUENCE, b"what"), value(BIT_STRING, b"\0key")].concat());
        for (version, is_first) in [(Vec::new(), true), (value(VERSION, &value(INTEGER, &[2])), false)] {
            let whole = certificate(&version, &key);
            let found = PublicKey { whole: &key, algorithm: b"what", bits: b"key" };
            assert_eq!(PublicKey::of(&whole), Some(found));
            assert_eq!(is_version_1(&whole), is_first);
            for cut in 0..whole.len() - 30 {
                assert_eq!(PublicKey::of(&whole[..cut]), None, "cut at {cut}");
            }
        }
    }

    #[test]
    fn what_is_no_certificate_has_no_key() {
        for bytes in
            [&b""[..], b"\x30", b"\x30\x84\xFF\xFF\xFF\xFF", b"\x30\x80", b"hello, this is no certificate"]
        {
            assert_eq!(PublicKey::of(bytes), None);
            assert!(!is_version_1(bytes));
        }
    }
}
