package main

import (
	"encoding/binary"
	"math/rand"
	"testing"
	"time"
)

// udp makes an IPv4 packet of a flow.
func udp(port uint16, bytes int) []byte {
	p := make([]byte, bytes)
	p[0], p[9] = 0x45, 17
	binary.BigEndian.PutUint16(p[20:], port)
	binary.BigEndian.PutUint16(p[22:], 9000)
	return p
}

func fixed(value float64) schedule { return schedule{{0, value}} }

func testLink(p path) *link {
	if p.delay == nil {
		p.delay = fixed(0)
	}
	p.jitter = fixed(0)
	return newLink(p, -1, -1, 1, newJournal("a>b", 100*time.Millisecond))
}

func TestPolicerPassesItsBucketAndThenItsRate(t *testing.T) {
	p := newPolicer(fixed(6e6), 60000)
	passed := 0
	// 24 Mbit/s for 10 s.
	for i := 0; i < 20000; i++ {
		if p.passes(time.Duration(i)*500*time.Microsecond, 1500) {
			passed += 1500
		}
	}
	if want := 7_560_000; passed < want-3000 || passed > want+3000 {
		t.Errorf("passed %d bytes, not about %d", passed, want)
	}
}

func TestBurstsAreApartAsAskedFor(t *testing.T) {
	b, err := parseBursts("2ms,8ms", 1)
	if err != nil {
		t.Fatal(err)
	}
	last, n := b.after(1), 0
	for at := last; at < 10*time.Second; n++ {
		next := b.after(at + 1)
		if gap := next - last; gap < 2*time.Millisecond || gap > 8*time.Millisecond {
			t.Fatalf("%v apart", gap)
		}
		last, at = next, next
	}
	if n < 1900 || n > 2100 {
		t.Errorf("%d moments in 10 s, not about 2000", n)
	}
	for _, wrong := range []string{"2ms", "8ms,2ms", "0s,1ms", "x,y"} {
		if _, err := parseBursts(wrong, 1); err == nil {
			t.Errorf("%q was taken", wrong)
		}
	}
}

func TestPacketsOfABurstLeaveTogether(t *testing.T) {
	b, _ := parseBursts("5ms,5ms", 1)
	l := testLink(path{rate: fixed(12e6), buffer: time.Second, bursts: b})
	for i := 0; i < 12; i++ {
		l.accept(0, udp(1, 1500)) // a millisecond each
	}
	want := []int{5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 15, 15}
	for i, packet := range l.waiting {
		if packet.due != time.Duration(want[i])*time.Millisecond {
			t.Errorf("packet %d is due at %v, not %d ms", i, packet.due, want[i])
		}
	}
}

func TestFlowsTakeTurns(t *testing.T) {
	l := testLink(path{rate: fixed(12e6), buffer: time.Second, fq: true})
	for i := 0; i < 50; i++ {
		l.accept(0, udp(1, 1500))
	}
	for i := 0; i < 10; i++ {
		l.accept(0, udp(2, 1500))
	}
	// A millisecond each; half of 20 are the second flow's although it came later.
	l.serve(20 * time.Millisecond)
	second := 0
	for _, packet := range l.waiting {
		if binary.BigEndian.Uint16(packet.data[20:]) == 2 {
			second++
		}
	}
	if len(l.waiting) != 21 || second < 9 {
		t.Errorf("%d packets, %d of the second flow", len(l.waiting), second)
	}
}

func TestTheLongestQueueLosesWhatOverflows(t *testing.T) {
	l := testLink(path{rate: fixed(12e6), buffer: 20 * time.Millisecond, fq: true})
	l.accept(0, udp(2, 1500))
	for i := 0; i < 40; i++ {
		l.accept(0, udp(1, 1500))
	}
	if l.fair.bytes > 20*1500 {
		t.Errorf("%d bytes wait", l.fair.bytes)
	}
	if drops := l.journal.at(0).Drops; drops < 10 {
		t.Errorf("%d drops", drops)
	}
}

func TestEachQueueIsUnderCodel(t *testing.T) {
	// 24 Mbit/s of one flow for 2 s on 12: the law drops ever faster; a sparse flow passes.
	l := testLink(path{rate: fixed(12e6), buffer: 10 * time.Second, fq: true})
	random := rand.New(rand.NewSource(7))
	sparse := 0
	for i := 0; i < 4000; i++ {
		now := time.Duration(i) * 500 * time.Microsecond
		l.accept(now, udp(1, 1500))
		if i%100 == random.Intn(100) {
			sparse++
			l.accept(now, udp(2, 200))
		}
	}
	l.serve(100 * time.Second)
	drops, got := int64(0), 0
	for _, line := range l.journal.open {
		drops += line.Drops
	}
	for _, packet := range l.waiting {
		if binary.BigEndian.Uint16(packet.data[20:]) == 2 {
			got++
		}
	}
	if got != sparse {
		t.Errorf("%d of %d packets of the sparse flow", got, sparse)
	}
	// 100 ms (1 + 1/sqrt(2) + ... ) until 4 s, when it is empty: some hundreds.
	if drops < 100 || drops > 1500 {
		t.Errorf("%d drops", drops)
	}
}

func TestPacketsThatAreOvertakenAreCountedOnce(t *testing.T) {
	l := testLink(path{rate: fixed(12e6), buffer: time.Second, delay: fixed(1), reorder: 0.3, duplicate: 0.2})
	const packets = 400
	for i := 0; i < packets; i++ {
		p := udp(1, 1500)
		binary.BigEndian.PutUint16(p[28:], uint16(i+1))
		l.accept(0, p)
	}
	late, highest, seen := int64(0), 0, map[int]bool{}
	for _, one := range l.waiting {
		number := int(binary.BigEndian.Uint16(one.data[28:]))
		if number < highest && !seen[number] {
			late += 1500
		}
		if number > highest {
			highest = number
		}
		seen[number] = true
		l.noteOrder(0, one.sent)
	}
	if counted := l.journal.at(0).Late["udp:1>9000"]; counted != late || late == 0 {
		t.Errorf("%d bytes late, counted %d", late, counted)
	}
}

func TestHowLateTheLinkItselfWasIsTold(t *testing.T) {
	l := testLink(path{rate: fixed(12e6), buffer: time.Second})
	for i := 0; i < 3; i++ {
		l.accept(0, udp(1, 1500)) // a millisecond each
	}
	l.noteLate(4*time.Millisecond, 4*time.Millisecond-l.waiting[0].due)
	l.noteLate(4*time.Millisecond, 4*time.Millisecond-l.waiting[2].due)
	if late := l.lines(time.Second)[0].LateMs; late != 3 {
		t.Errorf("%v ms late, not 3", late)
	}
}
