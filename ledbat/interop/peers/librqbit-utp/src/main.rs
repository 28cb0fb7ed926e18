//! librqbit-utp as an interoperability peer; see ../../README.md.

mod content;
mod options;

use std::num::NonZeroUsize;
use std::process::exit;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use content::{SeededStream, hex, sha256_of_stream};
use librqbit_utp::{SocketOpts, UtpSocketUdp, UtpStreamReadHalf, UtpStreamWriteHalf};
use options::{Close, Mode, Options};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const HELLO: &[u8; 8] = b"EBBPEER1";
const CHUNK_BYTES: usize = 65536;
const VERSION: &str = "librqbit-utp 0.7.0";
/// The UDP socket stays this long after the end, as it would in a real program, to answer repeated FINs.
const LINGER: Duration = Duration::from_millis(500);

#[derive(Default)]
struct Half {
    bytes: u64,
    hash: Sha256,
    last: Option<Instant>,
}

impl Half {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash.update(bytes);
        self.last = Some(Instant::now());
    }
}

#[derive(Default)]
struct Progress {
    started: Option<Instant>,
    sent: Half,
    received: Half,
}

type Shared = Arc<Mutex<Progress>>;

fn say(line: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

fn error(e: impl std::fmt::Display) -> String {
    let text = e.to_string();
    if text.contains("ST_RESET") { "reset".into() } else { format!("error: {text}") }
}

fn report(options: &Options, shared: &Shared, end: &str) -> i32 {
    let p = shared.lock().unwrap();
    let ok = p.sent.bytes == options.send
        && options.receive.is_none_or(|n| n == p.received.bytes)
        && matches!(end, "eof" | "closed" | "open");
    let last = p.sent.last.max(p.received.last);
    let seconds = match (p.started, last) {
        (Some(started), Some(last)) => last.saturating_duration_since(started).as_secs_f64(),
        _ => 0.0,
    };
    let end: String = end.chars().map(|c| if c == '"' || c == '\\' || c < ' ' { '\'' } else { c }).collect();
    say(&format!(
        "{{\"event\":\"done\",\"sent\":{},\"received\":{},\"sentSha256\":\"{}\",\"receivedSha256\":\"{}\",\
         \"seconds\":{seconds:.6},\"end\":\"{end}\",\"version\":\"{VERSION}\",\"retransmits\":null}}",
        p.sent.bytes,
        p.received.bytes,
        hex(p.sent.hash.clone()),
        hex(p.received.hash.clone()),
    ));
    if ok { 0 } else { 5 }
}

async fn send_all(writer: &mut UtpStreamWriteHalf, options: &Options, shared: &Shared) -> Result<(), String> {
    let mut stream = SeededStream::new(options.seed);
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut left = options.send;
    while left > 0 {
        let n = left.min(CHUNK_BYTES as u64) as usize;
        stream.fill(&mut chunk[..n]);
        let mut at = 0;
        while at < n {
            let written = writer.write(&chunk[at..n]).await.map_err(error)?;
            shared.lock().unwrap().sent.add(&chunk[at..at + written]);
            at += written;
        }
        left -= n as u64;
    }
    // The library forgets what is unsent when it dies, so "sent" must mean acknowledged.
    writer.flush().await.map_err(error)?;
    shared.lock().unwrap().sent.last = Some(Instant::now());
    Ok(())
}

/// Reads until there are `until` bytes or the end of stream; true for the latter.
async fn receive(reader: &mut UtpStreamReadHalf, until: Option<u64>, shared: &Shared) -> Result<bool, String> {
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        if until.is_some_and(|n| shared.lock().unwrap().received.bytes >= n) {
            return Ok(false);
        }
        let n = reader.read(&mut chunk).await.map_err(error)?;
        if n == 0 {
            shared.lock().unwrap().received.last = Some(Instant::now());
            return Ok(true);
        }
        shared.lock().unwrap().received.add(&chunk[..n]);
    }
}

async fn transfer(
    mut reader: UtpStreamReadHalf,
    mut writer: UtpStreamWriteHalf,
    options: &Options,
    shared: &Shared,
) -> Result<&'static str, String> {
    if options.mode == Mode::Listen {
        let mut hello = [0; 8];
        reader.read_exact(&mut hello).await.map_err(error)?;
        if &hello != HELLO {
            return Err("error: hello".into());
        }
    } else {
        writer.write_all(HELLO).await.map_err(error)?;
    }
    let until = if options.close == Close::Second { None } else { options.receive };
    let (sent, received) =
        tokio::join!(send_all(&mut writer, options, shared), receive(&mut reader, until, shared));
    let ended = received?;
    sent?;
    match options.close {
        Close::Never => Ok("open"),
        Close::Second => {
            let _ = writer.shutdown().await;
            Ok("eof")
        }
        Close::First if ended => Err("error: the other closed first".into()),
        Close::First => {
            let (_, more) = tokio::join!(writer.shutdown(), receive(&mut reader, None, shared));
            more.map(|_| "closed")
        }
    }
}

async fn serve(options: &Options, shared: &Shared) -> Result<&'static str, String> {
    let opts = SocketOpts { link_mtu: options.mtu.and_then(NonZeroUsize::new), ..Default::default() };
    let bind = if options.mode == Mode::Listen {
        options.address
    } else if options.address.is_ipv4() {
        ([0, 0, 0, 0], 0).into()
    } else {
        ([0u16; 8], 0).into()
    };
    let socket = UtpSocketUdp::new_udp_with_opts(bind, opts, Default::default()).await.map_err(error)?;
    let stream = if options.mode == Mode::Listen {
        say(&format!("{{\"event\":\"listening\",\"port\":{}}}", socket.bind_addr().port()));
        socket.accept().await
    } else {
        socket.connect(options.address).await
    }
    .map_err(error)?;
    say("{\"event\":\"connected\"}");
    shared.lock().unwrap().started = Some(Instant::now());
    let (reader, writer) = stream.split();
    let result = transfer(reader, writer, options, shared).await;
    if !matches!(result, Ok("open")) {
        tokio::time::sleep(LINGER).await;
    }
    result
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let options = options::parse();
    if options.mode == Mode::Stream {
        let sha256 = sha256_of_stream(options.seed, options.send);
        say(&format!("{{\"event\":\"stream\",\"bytes\":{},\"sha256\":\"{sha256}\"}}", options.send));
        return;
    }
    let shared = Shared::default();
    let limit = Duration::from_secs(options.timeout_seconds);
    let end = match tokio::time::timeout(limit, serve(&options, &shared)).await {
        Ok(Ok(end)) => end.to_string(),
        Ok(Err(end)) => end,
        Err(_) => "timeout".to_string(),
    };
    exit(report(&options, &shared, &end));
}
