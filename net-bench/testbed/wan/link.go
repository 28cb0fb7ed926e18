package main

import (
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// path is what a direction does to packets.
type path struct {
	rate          schedule // bit/s
	delay, jitter schedule // seconds
	buffer        time.Duration
	codel         bool

	// probabilities
	loss, reorder, duplicate float64
}

type packet struct {
	due  time.Duration
	data []byte
}

// link is one direction: it takes packets from one device and writes them to the other when they
// are due. A packet's fate is settled when it arrives, as the rate says when it will be its turn;
// a rate that falls later does not hold back those that wait already.
type link struct {
	path
	from, to int // file descriptors
	start    time.Time
	rng      *rand.Rand

	mu      sync.Mutex
	wake    *sync.Cond
	waiting []packet
	emptyAt time.Duration // when the last accepted packet leaves the bottleneck
	lastDue time.Duration
	aqm     codel
	journal *journal
}

func newLink(p path, from, to int, start time.Time, seed int64, j *journal) *link {
	l := &link{path: p, from: from, to: to, start: start, rng: rand.New(rand.NewSource(seed)), journal: j}
	l.wake = sync.NewCond(&l.mu)
	return l
}

func (l *link) now() time.Duration { return time.Since(l.start) }

func (l *link) accept(data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.journal.sampleQueue(now, l.emptyAt)
	begin := l.emptyAt
	if begin < now {
		begin = now
	}
	wait := begin - now
	if wait > l.buffer || (l.codel && l.aqm.drops(now, wait)) {
		l.journal.at(now).Drops++
		return
	}
	l.emptyAt = begin + time.Duration(float64(len(data))*8/l.rate.value(now)*1e9)
	// Loss is on the wire, behind the queue.
	if l.loss > 0 && l.rng.Float64() < l.loss {
		l.journal.at(now).Lost++
		return
	}
	l.journal.at(l.emptyAt).Bytes[flowOf(data)] += int64(len(data))
	due := l.emptyAt + time.Duration(l.delay.value(now)*1e9)
	if j := l.jitter.value(now); j > 0 {
		due += time.Duration(l.rng.Float64() * j * 1e9)
	}
	if due < l.lastDue {
		due = l.lastDue // jitter keeps the order
	}
	l.lastDue = due
	l.waiting = append(l.waiting, packet{due, data})
	if n := len(l.waiting); n > 1 && l.reorder > 0 && l.rng.Float64() < l.reorder {
		// It overtakes the packet before it.
		l.waiting[n-2].data, l.waiting[n-1].data = l.waiting[n-1].data, l.waiting[n-2].data
	}
	if l.duplicate > 0 && l.rng.Float64() < l.duplicate {
		l.waiting = append(l.waiting, packet{due, data})
	}
	l.wake.Signal()
}

func (l *link) readLoop() {
	runtime.LockOSThread()
	buf := make([]byte, 65536)
	for {
		n, err := syscall.Read(l.from, buf)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			fail(fmt.Errorf("read: %w", err)) // the device is gone
		}
		l.accept(append([]byte(nil), buf[:n]...))
	}
}

func (l *link) writeLoop() {
	runtime.LockOSThread()
	for {
		l.mu.Lock()
		for len(l.waiting) == 0 {
			l.wake.Wait()
		}
		head := l.waiting[0]
		early := head.due - l.now()
		if early <= 0 {
			l.waiting = l.waiting[1:]
		}
		l.mu.Unlock()
		if early > 0 {
			// Not a Go timer: those are late by up to a millisecond.
			ts := syscall.NsecToTimespec(int64(early))
			syscall.Nanosleep(&ts, nil)
			continue
		}
		if _, err := syscall.Write(l.to, head.data); err != nil && err != syscall.EINVAL && err != syscall.EIO {
			fmt.Fprintln(os.Stderr, "wan: write:", err)
		}
	}
}

// lines returns the log of the intervals that are over.
func (l *link) lines() []*line {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.journal.sampleQueue(now, l.emptyAt)
	var over []*line
	for next := l.journal.next(now); next != nil; next = l.journal.next(now) {
		over = append(over, next)
	}
	return over
}
