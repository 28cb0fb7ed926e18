package main

import (
	"encoding/binary"
	"testing"
	"time"
)

// checksummed makes the header right.
func checksummed(p []byte) []byte {
	binary.BigEndian.PutUint16(p[10:12], 0)
	binary.BigEndian.PutUint16(p[10:12], ^headerSum(p))
	return p
}

func headerSum(p []byte) uint16 {
	sum := uint32(0)
	for i := 0; i < 20; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(p[i:]))
	}
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	return uint16(sum)
}

func TestOnlyWhatIsECNCapableIsMarkedAndStaysSound(t *testing.T) {
	for tos, marked := range map[byte]bool{0: false, 1: true, 2: true, 3: false, 0xb8: false, 0xba: true} {
		p := udp(1, 1400)
		p[1] = tos
		checksummed(p)
		if markCE(p) != marked {
			t.Errorf("%#x: not %v", tos, marked)
		}
		want := tos
		if marked {
			want |= 3
		}
		if p[1] != want || headerSum(p) != 0xffff {
			t.Errorf("%#x became %#x, sum %#x", tos, p[1], headerSum(p))
		}
	}
}

func TestWhatWaitsLongerThanTheThresholdIsMarkedAndCounted(t *testing.T) {
	for _, fq := range []bool{false, true} {
		l := testLink(path{rate: fixed(12e6), buffer: time.Second, fq: fq, ceThreshold: 5 * time.Millisecond})
		for i := 0; i < 12; i++ { // a millisecond each
			p := udp(1, 1500)
			p[1] = 2
			l.accept(0, checksummed(p))
		}
		l.serve(20 * time.Millisecond)
		for i, packet := range l.waiting {
			if marked := packet.data[1]&3 == 3; marked != (i > 5) {
				t.Errorf("packet %d marked: %v", i, marked)
			}
		}
		marked := int64(0)
		for _, line := range l.lines(time.Second) {
			marked += line.Marked["udp:1>9000"]
		}
		if marked != 6*1500 {
			t.Errorf("%d bytes are counted", marked)
		}
	}
}
