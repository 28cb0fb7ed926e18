package main

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"syscall"
	"time"
)

// path is what a direction does to packets.
type path struct {
	rate          schedule // bit/s
	delay, jitter schedule // seconds
	buffer        time.Duration
	codel         bool
	fq            bool          // FQ-CoDel: packets wait in queues of their flows
	policer       *policer      // nil for none
	bursts        *bursts       // nil for none
	ceThreshold   time.Duration // what waits longer is marked, where it is ECN-capable; 0 for none

	// probabilities
	loss, reorder, duplicate float64
}

type packet struct {
	due time.Duration
	sent
}

// sent is a packet's content, and its place among those of its flow.
type sent struct {
	data   []byte
	flow   string
	number int64
	again  bool // it is delivered a second time
}

// link is one direction: it takes packets from one device and writes them to the other when they
// are due. But for FQ-CoDel a packet's fate is settled when it arrives, as the rate says when it will
// be its turn; a rate that falls later does not hold back those that wait already.
type link struct {
	path
	from, to int // file descriptors that do not block
	rng      *rand.Rand
	buf      []byte

	waiting []packet
	emptyAt time.Duration // when the last accepted packet leaves the bottleneck
	lastDue time.Duration
	aqm     codel
	fair    *fair // nil but for FQ-CoDel
	freeAt  time.Duration
	journal *journal

	numbers map[string]int64 // by flow: how many went
	highest map[string]int64 // by flow: the number of the latest that was delivered
}

func newLink(p path, from, to int, seed int64, j *journal) *link {
	l := &link{path: p, from: from, to: to, rng: rand.New(rand.NewSource(seed)), buf: make([]byte, 65536), journal: j,
		numbers: map[string]int64{}, highest: map[string]int64{}}
	if p.fq {
		l.fair = newFair()
	}
	return l
}

// receive accepts what the device has, but not endlessly.
func (l *link) receive(clock func() time.Duration) {
	for i := 0; i < 64; i++ {
		n, err := syscall.Read(l.from, l.buf)
		switch err {
		case nil:
			l.accept(clock(), l.buf[:n])
		case syscall.EINTR:
		case syscall.EAGAIN:
			return
		default:
			fail(fmt.Errorf("read: %w", err)) // the device is gone
		}
	}
}

// deliver writes the packets that are due.
func (l *link) deliver(now time.Duration) {
	l.serve(now)
	n := 0
	for ; n < len(l.waiting) && l.waiting[n].due <= now; n++ {
		l.noteOrder(now, l.waiting[n].sent)
		l.noteLate(now, now-l.waiting[n].due)
		if _, err := syscall.Write(l.to, l.waiting[n].data); err != nil && err != syscall.EINVAL && err != syscall.EIO {
			fmt.Fprintln(os.Stderr, "wan: write:", err)
		}
		l.waiting[n].data = nil
	}
	l.waiting = l.waiting[n:]
}

// noteLate remembers the largest of an interval: what is late comes faster than the rate allows.
func (l *link) noteLate(now, late time.Duration) {
	if line := l.journal.at(now); late.Seconds()*1e3 > line.LateMs {
		line.LateMs = math.Round(late.Seconds()*1e5) / 100
	}
}

// noteOrder counts a packet that comes after a later one of its flow.
func (l *link) noteOrder(now time.Duration, s sent) {
	if s.number > l.highest[s.flow] {
		l.highest[s.flow] = s.number
	} else if !s.again {
		l.journal.at(now).Late[s.flow] += int64(len(s.data))
	}
}

// accept takes or drops a packet; the slice is the caller's.
func (l *link) accept(now time.Duration, data []byte) {
	l.journal.sampleQueue(now, l.emptyAt)
	if l.policer != nil && !l.policer.passes(now, len(data)) {
		l.journal.at(now).Drops++
		return
	}
	if l.fair != nil {
		limit := int(l.buffer.Seconds() * l.rate.value(now) / 8)
		l.fair.add(now, append([]byte(nil), data...), limit)
		l.serve(now)
		return
	}
	begin := l.emptyAt
	if begin < now {
		begin = now
	}
	wait := begin - now
	if wait > l.buffer || (l.codel && l.aqm.drops(now, wait)) {
		l.journal.at(now).Drops++
		return
	}
	l.emptyAt = begin + l.serialisation(now, len(data))
	l.mark(now, wait, data)
	l.transmit(now, l.emptyAt, data)
}

// mark sets CE on a packet that had to wait for too long.
func (l *link) mark(now, wait time.Duration, data []byte) {
	if l.ceThreshold > 0 && wait > l.ceThreshold && markCE(data) {
		l.journal.at(now).Marked[flowOf(data)] += int64(len(data))
	}
}

func (l *link) serialisation(now time.Duration, bytes int) time.Duration {
	return time.Duration(float64(bytes) * 8 / l.rate.value(now) * 1e9)
}

// serve takes the packets from FQ-CoDel's queues whose turn has come.
func (l *link) serve(now time.Duration) {
	if l.fair == nil {
		return
	}
	for l.freeAt <= now && l.fair.bytes > 0 {
		begin := l.freeAt
		if head := l.fair.oldest(); begin < head {
			begin = head // it was idle
		}
		packet, found := l.fair.next(begin)
		if !found {
			break
		}
		l.freeAt = begin + l.serialisation(begin, len(packet.data))
		l.mark(begin, begin-packet.arrived, packet.data)
		l.transmit(begin, l.freeAt, packet.data)
	}
	l.journal.at(now).Drops += l.fair.dropped
	l.fair.dropped = 0
	l.emptyAt = l.freeAt + l.serialisation(now, l.fair.bytes)
}

// transmit puts on the wire what leaves the bottleneck at the given time; the slice is the caller's.
func (l *link) transmit(now, leaves time.Duration, data []byte) {
	if l.bursts != nil {
		leaves = l.bursts.after(leaves)
	}
	// Loss is on the wire, behind the queue.
	if l.loss > 0 && l.rng.Float64() < l.loss {
		l.journal.at(now).Lost++
		return
	}
	flow := flowOf(data)
	l.journal.at(leaves).Bytes[flow] += int64(len(data))
	due := leaves + time.Duration(l.delay.value(now)*1e9)
	if j := l.jitter.value(now); j > 0 {
		due += time.Duration(l.rng.Float64() * j * 1e9)
	}
	if due < l.lastDue {
		due = l.lastDue // jitter keeps the order
	}
	l.lastDue = due
	l.numbers[flow]++
	s := sent{data: append([]byte(nil), data...), flow: flow, number: l.numbers[flow]}
	l.waiting = append(l.waiting, packet{due, s})
	if n := len(l.waiting); n > 1 && l.reorder > 0 && l.rng.Float64() < l.reorder {
		// It overtakes the packet before it.
		l.waiting[n-2].sent, l.waiting[n-1].sent = l.waiting[n-1].sent, l.waiting[n-2].sent
	}
	if l.duplicate > 0 && l.rng.Float64() < l.duplicate {
		s.again = true
		l.waiting = append(l.waiting, packet{due, s})
		l.journal.at(leaves).Twice[flow] += int64(len(data))
	}
}

// lines returns the log of the intervals that are over.
func (l *link) lines(now time.Duration) []*line {
	l.journal.sampleQueue(now, l.emptyAt)
	var over []*line
	for next := l.journal.next(now); next != nil; next = l.journal.next(now) {
		over = append(over, next)
	}
	return over
}
