// github.com/anacrolix/utp as an interoperability peer; see ../README.md.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/anacrolix/utp"
)

const (
	hello      = "EBBPEER1"
	chunkBytes = 65536
	version    = "anacrolix-utp v0.2.0"
	// The UDP socket stays this long after the end, as it would in a real program, to answer repeated FINs.
	linger = 500 * time.Millisecond
)

// half is one direction of the transfer.
type half struct {
	bytes int64
	hash  hash.Hash
	last  time.Time
}

func (h *half) add(chunk []byte) {
	h.bytes += int64(len(chunk))
	h.hash.Write(chunk)
	h.last = time.Now()
}

type peer struct {
	options
	wire           *countingConn
	mutex          sync.Mutex
	started        time.Time
	sent, received half
}

func say(event map[string]any) {
	line, _ := json.Marshal(event)
	os.Stdout.Write(append(line, '\n'))
}

func (p *peer) finish(end string) {
	p.mutex.Lock()
	last := p.sent.last
	if p.received.last.After(last) {
		last = p.received.last
	}
	seconds := 0.0
	if !p.started.IsZero() && last.After(p.started) {
		seconds = last.Sub(p.started).Seconds()
	}
	var retransmits any
	if p.wire != nil {
		retransmits = p.wire.resent()
	}
	say(map[string]any{"event": "done", "sent": p.sent.bytes, "received": p.received.bytes,
		"sentSha256": hexOf(p.sent.hash), "receivedSha256": hexOf(p.received.hash), "seconds": seconds,
		"end": end, "version": version, "retransmits": retransmits})
	if p.sent.bytes != p.send || p.receive != -1 && p.received.bytes != p.receive ||
		end != "eof" && end != "closed" && end != "open" {
		os.Exit(5)
	}
	os.Exit(0)
}

func reason(err error) error {
	if strings.Contains(err.Error(), "peer reset") {
		return errors.New("reset")
	}
	return errors.New("error: " + err.Error())
}

func (p *peer) sendAll(conn net.Conn) error {
	stream := newSeededStream(p.seed)
	chunk := make([]byte, chunkBytes)
	for left := p.send; left > 0; {
		n := min(left, chunkBytes)
		stream.fill(chunk[:n])
		written, err := conn.Write(chunk[:n])
		p.mutex.Lock()
		p.sent.add(chunk[:written])
		p.mutex.Unlock()
		if err != nil {
			return reason(err)
		}
		left -= n
	}
	return nil
}

// read takes bytes until there are enough (false) or the other's end of stream (true).
func (p *peer) read(conn net.Conn, enough int64) (bool, error) {
	chunk := make([]byte, chunkBytes)
	for {
		p.mutex.Lock()
		done := enough >= 0 && p.received.bytes >= enough
		p.mutex.Unlock()
		if done {
			return false, nil
		}
		n, err := conn.Read(chunk)
		p.mutex.Lock()
		p.received.add(chunk[:n])
		p.mutex.Unlock()
		if err == io.EOF {
			return true, nil
		}
		if err != nil {
			return false, reason(err)
		}
	}
}

func (p *peer) transfer(conn net.Conn) (string, error) {
	if p.mode == "listen" {
		got := make([]byte, len(hello))
		if _, err := io.ReadFull(conn, got); err != nil {
			return "", reason(err)
		}
		if string(got) != hello {
			return "", errors.New("error: hello")
		}
	} else if _, err := conn.Write([]byte(hello)); err != nil {
		return "", reason(err)
	}
	sent := make(chan error, 1)
	go func() { sent <- p.sendAll(conn) }()
	enough := p.receive
	if p.close == "second" {
		enough = -1
	}
	ended, err := p.read(conn, enough)
	if err != nil {
		return "", err
	}
	if err := <-sent; err != nil {
		return "", err
	}
	switch p.close {
	case "never":
		p.awaitAcks()
		return "open", nil
	case "first":
		if ended {
			return "", errors.New("error: the other closed first")
		}
		conn.Close()
		p.awaitAcks()
		return "closed", nil
	}
	conn.Close()
	p.awaitAcks()
	return "eof", nil
}

// awaitAcks waits for what Close leaves to the background. The library forgets a FIN once nothing else is
// outstanding, and answers the FIN of a connection that it forgot with a RESET, so the FIN gets a second at most.
func (p *peer) awaitAcks() {
	var since time.Time
	for {
		data, fin := p.wire.acknowledged()
		if data && since.IsZero() {
			since = time.Now()
			p.mutex.Lock()
			p.sent.last = since
			p.mutex.Unlock()
		}
		if fin || !since.IsZero() && time.Since(since) > time.Second {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func (p *peer) run() (string, error) {
	local := ":0"
	if p.mode == "listen" {
		local = net.JoinHostPort(p.host, p.port)
	}
	udp, err := net.ListenPacket("udp", local)
	if err != nil {
		return "", reason(err)
	}
	wire := &countingConn{PacketConn: udp}
	socket, err := utp.NewSocketFromPacketConn(wire)
	if err != nil {
		return "", reason(err)
	}
	p.mutex.Lock()
	p.wire = wire
	p.mutex.Unlock()
	var conn net.Conn
	if p.mode == "listen" {
		say(map[string]any{"event": "listening", "port": udp.LocalAddr().(*net.UDPAddr).Port})
		conn, err = socket.Accept()
	} else {
		conn, err = socket.Dial(net.JoinHostPort(p.host, p.port))
	}
	if err != nil {
		return "", reason(err)
	}
	say(map[string]any{"event": "connected"})
	p.mutex.Lock()
	p.started = time.Now()
	p.mutex.Unlock()
	end, err := p.transfer(conn)
	if end != "open" {
		time.Sleep(linger)
	}
	return end, err
}

func main() {
	o := parse(os.Args[1:])
	if o.mode == "stream" {
		say(map[string]any{"event": "stream", "bytes": o.send, "sha256": sha256OfStream(o.seed, o.send)})
		return
	}
	p := &peer{options: o, sent: half{hash: sha256.New()}, received: half{hash: sha256.New()}}
	time.AfterFunc(o.timeout, func() { p.finish("timeout") })
	end, err := p.run()
	if err != nil {
		end = err.Error()
	}
	p.finish(end)
}
