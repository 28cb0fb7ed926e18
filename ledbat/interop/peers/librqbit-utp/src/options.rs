//! The command line that all peers share; see ../../README.md.

use std::net::{IpAddr, SocketAddr};
use std::process::exit;

#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    Listen,
    Connect,
    Stream,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Close {
    First,
    Second,
    Never,
}

pub struct Options {
    pub mode: Mode,
    pub address: SocketAddr,
    pub send: u64,
    pub seed: u64,
    /// None: until the other's end of stream.
    pub receive: Option<u64>,
    pub close: Close,
    pub timeout_seconds: u64,
    pub mtu: Option<usize>,
}

fn fail(reason: &str) -> ! {
    eprintln!(
        "{reason}\nusage: librqbit-utp listen|connect HOST PORT [--send N] [--seed N] [--receive N] \
         [--close first|second|never] [--timeout SECONDS] [--mtu BYTES]\n       \
         librqbit-utp stream [--seed N] [--send N]"
    );
    exit(2)
}

fn number<T: std::str::FromStr>(name: &str, text: Option<String>) -> T {
    match text.as_deref().map(str::parse) {
        Some(Ok(value)) => value,
        _ => fail(&format!("{name}: not a number in range: {text:?}")),
    }
}

fn seed(text: Option<String>) -> u64 {
    let wide: i128 = number("--seed", text);
    if wide < i64::MIN as i128 || wide > u64::MAX as i128 {
        fail("--seed: more than 64 bits");
    }
    wide as u64
}

pub fn parse() -> Options {
    let mut args = std::env::args().skip(1);
    let mode = match args.next().as_deref() {
        Some("listen") => Mode::Listen,
        Some("connect") => Mode::Connect,
        Some("stream") => Mode::Stream,
        _ => fail("no mode"),
    };
    let mut address: SocketAddr = ([127, 0, 0, 1], 0).into();
    if mode != Mode::Stream {
        let host: IpAddr = number("HOST", args.next());
        let port: u16 = number("PORT", args.next());
        address = (host, port).into();
    }
    let mut options = Options {
        mode,
        address,
        send: 0,
        seed: 1,
        receive: Some(0),
        close: Close::Second,
        timeout_seconds: 60,
        mtu: None,
    };
    while let Some(name) = args.next() {
        let value = args.next();
        match name.as_str() {
            "--send" => options.send = number(&name, value),
            "--seed" => options.seed = seed(value),
            "--receive" => {
                let n: i64 = number(&name, value);
                options.receive = if n == -1 { None } else { Some(n as u64) };
                if n < -1 {
                    fail("--receive: out of range");
                }
            }
            "--timeout" => options.timeout_seconds = number(&name, value),
            "--mtu" => options.mtu = Some(number(&name, value)),
            "--close" => {
                options.close = match value.as_deref() {
                    Some("first") => Close::First,
                    Some("second") => Close::Second,
                    Some("never") => Close::Never,
                    _ => fail("--close: first, second or never"),
                }
            }
            _ => fail(&format!("unknown option: {name}")),
        }
    }
    if options.receive.is_none() && options.close != Close::Second {
        fail("--receive -1 goes with --close second only");
    }
    options
}
