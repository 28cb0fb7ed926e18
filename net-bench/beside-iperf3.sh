#!/bin/sh
# Ebb and iperf3 in turn, over loopback, on this machine: what arrives a second, and the ratio.
# Usage: net-bench/beside-iperf3.sh [seconds] [rounds]   (needs ./ebb built, iperf3 and jq)
set -eu
seconds=${1:-5}
rounds=${2:-3}
cd "$(dirname "$0")/.."
for tool in iperf3 jq; do
  command -v "$tool" >/dev/null || { echo "skipped: because there is no $tool" >&2; exit 0; }
done
./ebb net server -B 127.0.0.1 -p 16817 >/dev/null 2>&1 &
ebb=$!
iperf3 -s -B 127.0.0.1 -p 16820 >/dev/null 2>&1 &
iperf=$!
trap 'kill $ebb $iperf 2>/dev/null || true' EXIT
sleep 3

row() { # name, ebb's options, iperf3's options, the figure of iperf3's
  for round in $(seq "$rounds"); do
    mine=$(./ebb net client 127.0.0.1 -p 16817 -t "$seconds" -O 2 -J $2 2>/dev/null |
      jq '.figures.up_received_rate_bits_per_second / 1e9')
    theirs=$(iperf3 -c 127.0.0.1 -p 16820 -t "$seconds" -O 2 -J $3 | jq "$4")
    echo "$1 $mine $theirs" | awk '{ printf "%-22s Ebb %6.2f Gbit/s  iperf3 %6.2f Gbit/s  ratio %.2f\n", $1, $2, $3, $2 / $3 }'
  done
}

received='.end.sum_received.bits_per_second / 1e9'
datagrams='.end.sum | .bits_per_second * (1 - .lost_percent / 100) / 1e9'
row TCP-65535 "-l 65535" "-l 65535" "$received"
row TCP-65535-no-verify "-l 65535 --no-verify" "-l 65535" "$received"
row UDP-1400 "-u -b 0 -l 1400" "-u -b 0 -l 1400" "$datagrams"
row UDP-1400-100M "-u -b 100M -l 1400" "-u -b 100M -l 1400" "$datagrams"
