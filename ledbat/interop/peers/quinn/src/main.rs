//! One side of an endless QUIC stream through quinn, for `ebb bench transport`: TLS 1.3 as QUIC always has it, no
//! hashes. It answers every line "mark" on standard input by what it has done, and ends with its input.
//! Usage: quinn receive ADDRESS | send ADDRESS PEER PORT

use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use quinn::crypto::rustls::QuicClientConfig;
use quinn::{ClientConfig, Endpoint, ServerConfig, TransportConfig, VarInt};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, SignatureScheme};
use tokio::io::{AsyncBufReadExt, BufReader};

/// As much as Ebb's connections have.
const WINDOW_BYTES: u32 = 8 << 20;
const CHUNK_BYTES: usize = 1 << 18;

static BYTES: AtomicU64 = AtomicU64::new(0);

/// Believes any certificate whose key signs: both sides are the same benchmark.
#[derive(Debug)]
struct Anybody(CryptoProvider);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self, _: &CertificateDer<'_>, _: &[CertificateDer<'_>], _: &ServerName<'_>, _: &[u8], _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self, _: &[u8], _: &CertificateDer<'_>, _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Err(rustls::Error::General("QUIC has TLS 1.3".into()))
    }

    fn verify_tls13_signature(
        &self, message: &[u8], cert: &CertificateDer<'_>, dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

fn transport() -> Arc<TransportConfig> {
    let mut config = TransportConfig::default();
    config.stream_receive_window(VarInt::from_u32(WINDOW_BYTES));
    config.receive_window(VarInt::from_u32(WINDOW_BYTES));
    config.send_window(WINDOW_BYTES.into());
    Arc::new(config)
}

async fn receive(address: IpAddr) -> Result<(), Box<dyn Error>> {
    let made = rcgen::generate_simple_self_signed(vec!["ebb".into()])?;
    let key = PrivatePkcs8KeyDer::from(made.key_pair.serialize_der());
    let mut config = ServerConfig::with_single_cert(vec![made.cert.into()], key.into())?;
    config.transport_config(transport());
    let endpoint = Endpoint::server(config, SocketAddr::new(address, 0))?;
    println!("PORT {}", endpoint.local_addr()?.port());
    let connection = endpoint.accept().await.ok_or("closed")?.await?;
    let mut stream = connection.accept_uni().await?;
    while let Some(chunk) = stream.read_chunk(CHUNK_BYTES, true).await? {
        BYTES.fetch_add(chunk.bytes.len() as u64, Relaxed);
    }
    Ok(())
}

async fn send(address: IpAddr, peer: SocketAddr) -> Result<(), Box<dyn Error>> {
    let verifier = Arc::new(Anybody(ring::default_provider()));
    let tls = rustls::ClientConfig::builder().dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
    let mut config = ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls)?));
    config.transport_config(transport());
    let endpoint = Endpoint::client(SocketAddr::new(address, 0))?;
    let connection = endpoint.connect_with(config, peer, "ebb")?.await?;
    let mut stream = connection.open_uni().await?;
    println!("CONNECTED");
    let chunk = vec![0; CHUNK_BYTES];
    loop {
        stream.write_all(&chunk).await?;
        BYTES.fetch_add(CHUNK_BYTES as u64, Relaxed);
    }
}

fn cpu_nanos() -> i64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes the one structure that it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    t.tv_sec * 1_000_000_000 + t.tv_nsec
}

/// Ends with standard input.
async fn answer_marks() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        if line == "mark" {
            let (bytes, nanos) = (BYTES.load(Relaxed), start.elapsed().as_nanos());
            println!("MARK bytes={bytes} nanos={nanos} cpu={}", cpu_nanos());
        }
    }
    Ok(())
}

async fn side(args: &[String]) -> Result<(), Box<dyn Error>> {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["receive", address] => receive(address.parse()?).await,
        ["send", address, peer, port] => send(address.parse()?, SocketAddr::new(peer.parse()?, port.parse()?)).await,
        _ => Err("usage: quinn receive ADDRESS | send ADDRESS PEER PORT".into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let end = tokio::select! {
        end = side(&args) => end,
        end = answer_marks() => end,
    };
    if let Err(e) = end {
        println!("FAILED {e}");
        std::process::exit(5);
    }
}
