#!/usr/bin/env python3
"""libtorrent over uTP alone (no TCP, no encryption, nothing but loopback) as an interoperability peer.

See ../README.md. libtorrent does not give out its uTP streams, so the other side must speak BitTorrent.
"""

import argparse
import hashlib
import json
import os
import sys
import time

# Beside this file; without it (and without an environment of one's own) the import fails.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import libtorrent as lt  # noqa: E402

UTP_COUNTERS = [
    "utp_packet_loss",
    "utp_timeout",
    "utp_packets_in",
    "utp_packets_out",
    "utp_fast_retransmit",
    "utp_packet_resend",
    "utp_payload_pkts_in",
    "utp_payload_pkts_out",
    "utp_invalid_pkts_in",
    "utp_redundant_pkts_in",
]
STATES = {
    lt.torrent_status.states.checking_files: "checking",
    lt.torrent_status.states.downloading_metadata: "metadata",
    lt.torrent_status.states.downloading: "downloading",
    lt.torrent_status.states.finished: "finished",
    lt.torrent_status.states.seeding: "seeding",
    lt.torrent_status.states.checking_resume_data: "checking",
}


def say(event, **values):
    print(json.dumps({"event": event, **values}, separators=(",", ":")), flush=True)


def log(text):
    print(text, file=sys.stderr, flush=True)


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def make_torrent(args):
    files = lt.file_storage()
    files.add_file(os.path.basename(args.file), os.path.getsize(args.file))
    # v1 only: the form that every BitTorrent client reads.
    creator = lt.create_torrent(files, args.piece_size, lt.create_torrent.v1_only)
    lt.set_piece_hashes(creator, os.path.dirname(os.path.abspath(args.file)))
    with open(args.out, "wb") as out:
        out.write(lt.bencode(creator.generate()))
    info = lt.torrent_info(args.out)
    say(
        "torrent",
        infoHash=str(info.info_hashes().v1),
        pieces=info.num_pieces(),
        pieceLength=info.piece_length(),
        bytes=info.total_size(),
    )
    return 0


def session(args):
    settings = {
        "listen_interfaces": f"{args.host}:{args.port}",
        "enable_incoming_tcp": False,
        "enable_outgoing_tcp": False,
        "enable_incoming_utp": True,
        "enable_outgoing_utp": True,
        "enable_dht": False,
        "enable_lsd": False,
        "enable_upnp": False,
        "enable_natpmp": False,
        # Several tries from one address are normal in a test.
        "allow_multiple_connections_per_ip": True,
        "min_reconnect_time": 1,
        # A packet that is lost four times ends libtorrent's connections by default, which at 5% loss each way
        # (of packets and of acks: one in ten) happens once in some ten thousand packets.
        "utp_syn_resends": 8,
        "utp_fin_resends": 8,
        "utp_num_resends": 8,
        "in_enc_policy": int(lt.enc_policy.pe_disabled),
        "out_enc_policy": int(lt.enc_policy.pe_disabled),
        "alert_mask": lt.alert.category_t.all_categories
        if args.verbose
        else lt.alert.category_t.status_notification
        | lt.alert.category_t.error_notification
        | lt.alert.category_t.peer_notification
        | lt.alert.category_t.connect_notification
        | lt.alert.category_t.stats_notification
        | lt.alert.category_t.storage_notification,
    }
    return lt.session(settings)


class Run:
    """One session with one torrent until its work is done, told to stop, or out of time."""

    def __init__(self, args, seeding):
        self.args = args
        self.seeding = seeding
        self.deadline = time.monotonic() + args.timeout
        self.started = None
        self.connected = False
        self.served = False
        self.end = None
        self.counters = dict.fromkeys(UTP_COUNTERS)
        self.index = {m.name: m.value_index for m in lt.session_stats_metrics()}
        self.listening = False
        self.session = session(args)

    def add(self):
        params = lt.add_torrent_params()
        params.ti = lt.torrent_info(self.args.torrent)
        params.save_path = self.args.dir
        params.flags &= ~lt.torrent_flags.auto_managed
        params.flags &= ~lt.torrent_flags.paused
        if self.seeding:
            params.flags |= lt.torrent_flags.seed_mode
        self.handle = self.session.add_torrent(params)
        for peer in self.args.connect or []:
            host, port = peer.rsplit(":", 1)
            self.handle.connect_peer((host, int(port)))

    def take_alerts(self):
        for alert in self.session.pop_alerts():
            if isinstance(alert, lt.session_stats_alert):
                for name in UTP_COUNTERS:
                    self.counters[name] = alert.values["utp." + name]
                continue
            if isinstance(alert, lt.listen_succeeded_alert):
                if "uTP" in alert.message() or "UTP" in alert.message():
                    if not self.listening:
                        self.listening = True
                        say("listening", port=alert.port)
            elif isinstance(alert, lt.listen_failed_alert):
                self.end = "error: " + alert.message()
            elif isinstance(alert, (lt.torrent_error_alert, lt.file_error_alert)):
                self.end = "error: " + alert.message()
            elif isinstance(alert, (lt.peer_connect_alert, lt.incoming_connection_alert)):
                if not self.connected:
                    self.connected = True
                    self.started = time.monotonic()
                    say("connected")
            elif isinstance(alert, lt.peer_disconnected_alert):
                say("disconnected", reason=alert.message())
            if self.args.verbose or isinstance(alert, (lt.peer_error_alert, lt.performance_alert)):
                log(f"{type(alert).__name__}: {alert.message()}")

    def loop(self):
        state = None
        full_served = None
        while self.end is None:
            self.session.wait_for_alert(50)
            self.session.post_session_stats()
            self.take_alerts()
            status = self.handle.status()
            now = STATES.get(status.state, str(status.state))
            if now != state:
                state = now
                say("state", state=state)
            if self.seeding:
                # Done when every byte went out and the peer hung up or says that it has all.
                served = status.total_payload_upload >= self.args.uploads * status.total
                peers = self.handle.get_peer_info()
                if served and full_served is None:
                    full_served = time.monotonic()
                if served and (not peers or all(p.progress_ppm >= 1_000_000 for p in peers)):
                    self.end = "eof" if not peers else "open"
                elif served and time.monotonic() > full_served + 5:
                    self.end = "open"
            elif status.is_seeding or status.is_finished:
                self.end = "closed"
            if self.end is None and time.monotonic() > self.deadline:
                self.end = "timeout"

    def finish(self):
        ended = time.monotonic()
        status = self.handle.status()
        path = os.path.join(self.args.dir, lt.torrent_info(self.args.torrent).files().file_path(0))
        complete = status.is_seeding or status.is_finished
        sha256 = sha256_of(path) if complete and os.path.exists(path) else None
        if not self.args.abrupt:
            # Removing the torrent closes its connections in an orderly way: FIN, not silence.
            self.session.remove_torrent(self.handle)
            until = time.monotonic() + 1
            while time.monotonic() < until:
                self.session.wait_for_alert(100)
                self.session.post_session_stats()
                self.take_alerts()
        ok = self.end in ("eof", "open", "closed")
        say(
            "done",
            sent=status.total_payload_upload,
            received=status.total_payload_download,
            fileSha256=sha256,
            seconds=round(ended - self.started, 6) if self.started else 0.0,
            end=self.end,
            version="libtorrent " + lt.__version__,
            retransmits=self.counters["utp_packet_resend"],
            utp=self.counters,
        )
        return 0 if ok else 5


def transfer(args):
    run = Run(args, args.mode == "seed")
    run.add()
    run.loop()
    return run.finish()


def main():
    parser = argparse.ArgumentParser(prog="libtorrent")
    modes = parser.add_subparsers(dest="mode", required=True)
    modes.add_parser("version")
    make = modes.add_parser("make-torrent")
    make.add_argument("file")
    make.add_argument("out")
    make.add_argument("--piece-size", type=int, default=256 * 1024)
    for name in ("seed", "download"):
        mode = modes.add_parser(name)
        mode.add_argument("torrent")
        mode.add_argument("dir")
        mode.add_argument("--host", default="127.0.0.1")
        mode.add_argument("--port", type=int, default=0)
        mode.add_argument("--connect", action="append", metavar="HOST:PORT")
        mode.add_argument("--timeout", type=float, default=60)
        mode.add_argument("--uploads", type=int, default=1, help="seed: end after so many times the file")
        mode.add_argument("--abrupt", action="store_true", help="end without closing connections")
        mode.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    if args.mode == "version":
        print(lt.__version__)
        return 0
    if args.mode == "make-torrent":
        return make_torrent(args)
    return transfer(args)


if __name__ == "__main__":
    sys.exit(main())
