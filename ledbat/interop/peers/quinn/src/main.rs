//! One side of an endless QUIC stream through quinn, for `ebb bench transport`: TLS 1.3 as QUIC always has it, no
//! hashes. It answers every line "mark" on standard input by what it has done, and ends with its input.

use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use quinn::{ClientConfig, Endpoint, ServerConfig, TransportConfig, VarInt};
use rustls::RootCertStore;
use rustls::pki_types::PrivatePkcs8KeyDer;
use tokio::io::{AsyncBufReadExt, BufReader};

/// As much as Ebb's connections have.
const WINDOW_BYTES: u32 = 8 << 20;
const CHUNK_BYTES: usize = 1 << 18;

static BYTES: AtomicU64 = AtomicU64::new(0);

fn transport() -> Arc<TransportConfig> {
    let mut config = TransportConfig::default();
    config.stream_receive_window(VarInt::from_u32(WINDOW_BYTES));
    config.receive_window(VarInt::from_u32(WINDOW_BYTES));
    config.send_window(WINDOW_BYTES.into());
    Arc::new(config)
}

/// Where a receiver leaves its certificate for its sender.
fn certificate(port: u16) -> PathBuf {
    std::env::temp_dir().join(format!("ebb-bench-quinn-{port}.der"))
}

async fn receive(address: IpAddr) -> Result<(), Box<dyn Error>> {
    let made = rcgen::generate_simple_self_signed(vec!["ebb".into()])?;
    let key = PrivatePkcs8KeyDer::from(made.key_pair.serialize_der());
    let mut config = ServerConfig::with_single_cert(vec![made.cert.der().clone()], key.into())?;
    config.transport_config(transport());
    let endpoint = Endpoint::server(config, SocketAddr::new(address, 0))?;
    let port = endpoint.local_addr()?.port();
    std::fs::write(certificate(port), made.cert.der())?;
    println!("PORT {port}");
    let connection = endpoint.accept().await.ok_or("closed")?.await?;
    let mut stream = connection.accept_uni().await?;
    while let Some(chunk) = stream.read_chunk(CHUNK_BYTES, true).await? {
        BYTES.fetch_add(chunk.bytes.len() as u64, Relaxed);
    }
    Ok(())
}

async fn send(address: IpAddr, peer: SocketAddr) -> Result<(), Box<dyn Error>> {
    let mut trusted = RootCertStore::empty();
    trusted.add(std::fs::read(certificate(peer.port()))?.into())?;
    std::fs::remove_file(certificate(peer.port()))?;
    let mut config = ClientConfig::with_root_certificates(Arc::new(trusted))?;
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

/// Answers marks, and ends with standard input.
async fn answer_marks() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let mut cpu = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: it writes the one structure that it is given.
        unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut cpu) };
        let cpu_nanos = cpu.tv_sec * 1_000_000_000 + cpu.tv_nsec;
        if line == "mark" {
            println!("MARK bytes={} nanos={} cpu={cpu_nanos}", BYTES.load(Relaxed), start.elapsed().as_nanos());
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
    if let Err(e) = tokio::select! { end = side(&args) => end, end = answer_marks() => end } {
        println!("FAILED {e}");
        std::process::exit(5);
    }
}
