//! Verifiers for the modes that ask less of a certificate than rustls does.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms, verify_tls13_signature_with_raw_key};
use rustls::pki_types::{CertificateDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, PeerMisbehaved, SignatureScheme};

use super::certificate::{PublicKey, is_version_1};

/// What is said of a certificate whose chain is to be checked, and which has no extensions that bound its use: a certificate
/// that was issued for anything else would pass, too.
const VERSION_1: &str = "the server's certificate is of X.509 version 1, which modes verify-ca and verify-identity do not \
    accept: issue one of version 3 (openssl x509 -req with -extfile and a subjectAltName), or use mode required, which \
    encrypts and does not check who the server is";

/// The public key of a certificate of any version.
fn public_key<'a>(certificate: &'a CertificateDer<'_>) -> Result<PublicKey<'a>, Error> {
    PublicKey::of(certificate).ok_or_else(|| CertificateError::BadEncoding.into())
}

/// Verifier of modes preferred and required: any certificate will do, but the server must hold its key. Nothing of the
/// certificate but the key is read: webpki refuses X.509 version 1, which `openssl x509 -req` makes without extensions.
#[derive(Debug)]
pub(super) struct AnyCertificate {
    algorithms: WebPkiSupportedAlgorithms,
}

impl AnyCertificate {
    pub(super) fn new(provider: &CryptoProvider) -> Self {
        Self { algorithms: provider.signature_verification_algorithms }
    }
}

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let key = public_key(cert)?;
        let mapped = self.algorithms.mapping.iter().find(|(scheme, _)| *scheme == dss.scheme);
        let possible = mapped.ok_or(PeerMisbehaved::SignedHandshakeWithUnadvertisedSigScheme)?.1;
        let fitting = possible.iter().find(|one| one.public_key_alg_id().as_ref() == key.algorithm);
        let Some(algorithm) = fitting else {
            return Err(Error::General(
                "the key of the server's certificate does not fit its signature".into(),
            ));
        };
        algorithm
            .verify_signature(key.bits, message, dss.signature())
            .map(|()| HandshakeSignatureValid::assertion())
            .map_err(|_| CertificateError::BadSignature.into())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let key = SubjectPublicKeyInfoDer::from(public_key(cert)?.whole);
        verify_tls13_signature_with_raw_key(message, &key, dss, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// Verifier of modes verify-ca and verify-identity: the chain must hold, and in the latter the name, too.
#[derive(Debug)]
pub(super) struct Chain {
    strict: Arc<WebPkiServerVerifier>,
    any_name: bool,
}

impl Chain {
    pub(super) fn new(strict: Arc<WebPkiServerVerifier>, any_name: bool) -> Self {
        Self { strict, any_name }
    }
}

impl ServerCertVerifier for Chain {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if is_version_1(end_entity) {
            return Err(Error::General(VERSION_1.into()));
        }
        match self.strict.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            // The name is the last that is looked at: the chain holds.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.any_name => Ok(ServerCertVerified::assertion()),
            result => result,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.strict.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.strict.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.strict.supported_verify_schemes()
    }
}
