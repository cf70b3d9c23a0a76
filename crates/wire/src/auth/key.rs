//! A server's RSA public key: read from PEM, used once to encrypt a password.
//!
//! The key may come from the server, so nothing in it is believed: every length is checked, and a number is taken only
//! where a computation with it is short.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mysql_common::crypto::rsa::{GetRandom, Padding, Pkcs1OaepPadding};
use num_bigint::BigUint;

use crate::reader::Reader;

/// Bits of a modulus that is neither broken nor a way to keep this side busy.
const MODULUS_BITS: std::ops::RangeInclusive<u64> = 1024..=16_384;
const EXPONENT_BITS: u64 = 64;
/// Longest PEM text: a key of the most bits takes 3 kB.
const PEM_BYTES: usize = 16 * 1024;
/// Bytes of a block that padding takes (OAEP with SHA-1).
const PADDING: usize = 42;

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OBJECT: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
/// 1.2.840.113549.1.1.1, rsaEncryption.
const RSA: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01];

/// An RSA public key that is safe to compute with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PublicKey {
    modulus: BigUint,
    exponent: BigUint,
    /// Bytes of the modulus.
    length: usize,
}

impl PublicKey {
    /// A key in PEM: `PUBLIC KEY` (X.509) or `RSA PUBLIC KEY` (PKCS#1).
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn from_pem(pem: &[u8]) -> Result<Self, String> {
        let (label, der) = pem_to_der(pem).ok_or("is not PEM of a PUBLIC KEY or RSA PUBLIC KEY")?;
        let pkcs1 = match label {
            "PUBLIC KEY" => subject_public_key(&der),
            _ => Some(der.as_slice()),
        };
        let (modulus, exponent) = pkcs1.and_then(numbers).ok_or("is not an RSA public key")?;
        Self::new(&BigUint::from_bytes_be(modulus), BigUint::from_bytes_be(exponent))
    }

    fn new(modulus: &BigUint, exponent: BigUint) -> Result<Self, String> {
        let bits = modulus.bits();
        if !MODULUS_BITS.contains(&bits) {
            return Err(format!(
                "has a modulus of {bits} bits; expected {} to {}",
                MODULUS_BITS.start(),
                MODULUS_BITS.end()
            ));
        }
        if !modulus.bit(0) {
            return Err("has an even modulus, which no RSA key has".into());
        }
        if exponent.bits() > EXPONENT_BITS || exponent.bits() < 2 || !exponent.bit(0) {
            return Err(format!("has an exponent that is not odd, from 3 to {EXPONENT_BITS} bits"));
        }
        let length = modulus.to_bytes_be().len();
        Ok(Self { modulus: modulus.clone(), exponent, length })
    }

    /// Encrypts a secret with OAEP padding.
    ///
    /// # Errors
    /// The secret is longer than a block, or the system has no random numbers.
    pub(super) fn encrypt(&self, secret: &[u8]) -> Result<Vec<u8>, String> {
        if secret.len() + PADDING > self.length {
            return Err(format!("is too short for a password of {} bytes", secret.len()));
        }
        let padded = Pkcs1OaepPadding::new(GetRandom).pub_pad(secret, self.length);
        let padded = padded.map_err(|error| format!("cannot be used: {error}"))?;
        let block = BigUint::from_bytes_be(&padded).modpow(&self.exponent, &self.modulus).to_bytes_be();
        let mut out = vec![0; self.length.saturating_sub(block.len())];
        out.extend_from_slice(&block);
        Ok(out)
    }
}

/// Label and decoded contents of the first PEM block.
fn pem_to_der(pem: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    let text = str::from_utf8(pem).ok().filter(|text| text.len() <= PEM_BYTES)?;
    ["PUBLIC KEY", "RSA PUBLIC KEY"].into_iter().find_map(|label| {
        let (_, rest) = text.split_once(&format!("-----BEGIN {label}-----"))?;
        let (body, _) = rest.split_once(&format!("-----END {label}-----"))?;
        let digits: Vec<u8> = body.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        Some((label, STANDARD.decode(digits).ok()?))
    })
}

/// The key within an X.509 `SubjectPublicKeyInfo`, if it is one of RSA.
fn subject_public_key(der: &[u8]) -> Option<&[u8]> {
    let mut info = Reader(whole(der, SEQUENCE)?);
    let mut algorithm = Reader(element(&mut info, SEQUENCE)?);
    if element(&mut algorithm, OBJECT)? != RSA {
        return None;
    }
    // A bit string begins with the number of bits that its last byte lacks.
    element(&mut info, BIT_STRING)?.strip_prefix(&[0])
}

/// Modulus and exponent of a PKCS#1 `RSAPublicKey`.
fn numbers(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut key = Reader(whole(der, SEQUENCE)?);
    let modulus = element(&mut key, INTEGER)?;
    let exponent = element(&mut key, INTEGER)?;
    let negative = |number: &[u8]| number.first().is_none_or(|byte| byte & 0x80 != 0);
    (!negative(modulus) && !negative(exponent)).then_some((modulus, exponent))
}

/// The contents of the only DER element, which must have this tag.
fn whole(der: &[u8], tag: u8) -> Option<&[u8]> {
    let mut reader = Reader(der);
    let contents = element(&mut reader, tag)?;
    reader.0.is_empty().then_some(contents)
}

/// The contents of the next DER element, which must have this tag.
fn element<'a>(der: &mut Reader<'a>, tag: u8) -> Option<&'a [u8]> {
    if der.u8()? != tag {
        return None;
    }
    let length = match der.u8()? {
        short @ 0..=0x7F => usize::from(short),
        0x81 => usize::from(der.u8()?),
        0x82 => usize::from(u16::from_be_bytes(der.array()?)),
        // More than 64 kB, or of no told length.
        _ => return None,
    };
    der.bytes(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pem(label: &str, der: &[u8]) -> Vec<u8> {
        format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", STANDARD.encode(der)).into_bytes()
    }

    fn put(tag: u8, contents: &[u8]) -> Vec<u8> {
        let length = u16::try_from(contents.len()).expect("short").to_be_bytes();
        [&[tag, 0x82, length[0], length[1]], contents].concat()
    }

    fn key(modulus: &[u8], exponent: &[u8]) -> Vec<u8> {
        put(SEQUENCE, &[put(INTEGER, modulus), put(INTEGER, exponent)].concat())
    }

    fn odd(bits: usize) -> Vec<u8> {
        let mut number = vec![0xFF; bits.div_ceil(8)];
        number[0] >>= number.len() * 8 - bits;
        [&[0][..], &number].concat()
    }

    #[test]
    fn keys_of_both_kinds() {
        let pkcs1 = key(&odd(2048), &[1, 0, 1]);
        let plain = PublicKey::from_pem(&pem("RSA PUBLIC KEY", &pkcs1)).expect("a key");
        let algorithm = put(SEQUENCE, &put(OBJECT, RSA));
        let info = put(SEQUENCE, &[algorithm, put(BIT_STRING, &[&[0], pkcs1.as_slice()].concat())].concat());
        assert_eq!(PublicKey::from_pem(&pem("PUBLIC KEY", &info)), Ok(plain.clone()));
        assert_eq!(plain.encrypt(b"secret\0").expect("a block").len(), 256);
        assert_ne!(plain.encrypt(b"secret\0"), plain.encrypt(b"secret\0"), "padded by chance");
    }

    #[test]
    fn numbers_that_are_not_computed_with() {
        let mut even = odd(2048);
        *even.last_mut().expect("a byte") = 0xFE;
        for (modulus, exponent, reason) in [
            (odd(1023), vec![1, 0, 1], "1023 bits"),
            (odd(16_385), vec![1, 0, 1], "16385 bits"),
            (odd(60_000), vec![1, 0, 1], "60000 bits"),
            (vec![0], vec![1, 0, 1], "0 bits"),
            (even, vec![1, 0, 1], "even"),
            (odd(2048), odd(65), "exponent"),
            (odd(2048), vec![1], "exponent"),
            (odd(2048), vec![2], "exponent"),
            (odd(2048), vec![0], "exponent"),
            (odd(2048), vec![], "not an RSA"),
            (vec![0xFF; 256], vec![3], "not an RSA"),
        ] {
            let refused = PublicKey::from_pem(&pem("RSA PUBLIC KEY", &key(&modulus, &exponent)));
            assert!(refused.as_ref().is_err_and(|text| text.contains(reason)), "{reason}: {refused:?}");
        }
    }

    #[test]
    fn the_least_and_the_most_bits() {
        for bits in [1024, 1025, 16_384] {
            let key = PublicKey::from_pem(&pem("RSA PUBLIC KEY", &key(&odd(bits), &odd(64)))).expect("a key");
            let length = bits.div_ceil(8);
            assert_eq!(key.encrypt(&vec![7; length - PADDING]).expect("it fits").len(), length);
            assert!(key.encrypt(&vec![7; length - PADDING + 1]).is_err());
        }
    }

    #[test]
    fn every_cut_and_every_other_byte_is_refused_or_a_key() {
        let whole = pem("RSA PUBLIC KEY", &key(&odd(1024), &[1, 0, 1]));
        for end in 0..whole.len() - 1 {
            assert!(PublicKey::from_pem(&whole[..end]).is_err() || end > whole.len() - 3);
        }
        let der = key(&odd(1024), &[1, 0, 1]);
        for at in 0..der.len().min(24) {
            for byte in 0..=255 {
                let mut other = der.clone();
                other[at] = byte;
                // Whatever it is now, it is looked at in an instant.
                if let Ok(key) = PublicKey::from_pem(&pem("RSA PUBLIC KEY", &other)) {
                    assert!(key.encrypt(b"x").is_ok());
                }
            }
        }
    }
}
