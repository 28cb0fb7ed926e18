package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"
)

const queueSampleEvery = 10 * time.Millisecond

// line is what the log says of one direction in one interval.
type line struct {
	T       float64          `json:"t"` // end of the interval, seconds since the link came up
	Dir     string           `json:"dir"`
	QueueMs []float64        `json:"queue_ms"` // one in 10 ms: what a packet would have waited then
	Drops   int64            `json:"drops"`    // by the full buffer or CoDel
	Lost    int64            `json:"lost"`     // at random
	Bytes   map[string]int64 `json:"bytes"`    // IP packets that left the bottleneck, by flow
	Twice   map[string]int64 `json:"twice"`    // of these what arrives a second time
	Late    map[string]int64 `json:"late"`     // IP packets delivered after a later one of their flow
	LateMs  float64          `json:"late_ms"`  // by how much this program was late at most to deliver
	Marked  map[string]int64 `json:"marked"`   // IP packets that the queue set CE on
}

// journal counts what a direction did, interval by interval. Bytes belong to the interval in which
// they leave the bottleneck, which is known when they arrive.
type journal struct {
	dir      string
	interval time.Duration
	open     map[int64]*line // by number of interval; those that are not reported yet
	reported int64           // intervals before this one are
	sampled  time.Duration   // when the queue was last sampled
}

func newJournal(dir string, interval time.Duration) *journal {
	return &journal{dir: dir, interval: interval, open: map[int64]*line{}}
}

func (j *journal) at(t time.Duration) *line {
	n := int64(t / j.interval)
	if n < j.reported {
		n = j.reported
	}
	l := j.open[n]
	if l == nil {
		l = &line{T: seconds(time.Duration(n+1) * j.interval), Dir: j.dir, QueueMs: []float64{}, Bytes: map[string]int64{}, Twice: map[string]int64{}, Late: map[string]int64{}, Marked: map[string]int64{}}
		j.open[n] = l
	}
	return l
}

// sampleQueue samples up to now a queue that is empty at emptyAt, if nothing more arrives.
func (j *journal) sampleQueue(now, emptyAt time.Duration) {
	for ; j.sampled+queueSampleEvery <= now; j.sampled += queueSampleEvery {
		wait := emptyAt - j.sampled - queueSampleEvery
		if wait < 0 {
			wait = 0
		}
		l := j.at(j.sampled)
		l.QueueMs = append(l.QueueMs, math.Round(wait.Seconds()*1e5)/100)
	}
}

// next returns the next interval that is over at the given time, nil if there is none.
func (j *journal) next(now time.Duration) *line {
	if time.Duration(j.reported+1)*j.interval > now {
		return nil
	}
	l := j.at(time.Duration(j.reported) * j.interval)
	delete(j.open, j.reported)
	j.reported++
	return l
}

func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

// flowOf names the flow of an IP packet: "udp:9000>9001". Only first fragments have ports.
func flowOf(p []byte) string {
	if len(p) < 20 || p[0]>>4 != 4 {
		return "other"
	}
	header := int(p[0]&15) * 4
	name := map[byte]string{1: "icmp", 6: "tcp", 17: "udp"}[p[9]]
	if name == "" {
		name = strconv.Itoa(int(p[9]))
	}
	first := binary.BigEndian.Uint16(p[6:8])&0x1fff == 0
	if (p[9] == 6 || p[9] == 17) && first && len(p) >= header+4 {
		return fmt.Sprintf("%s:%d>%d", name,
			binary.BigEndian.Uint16(p[header:]), binary.BigEndian.Uint16(p[header+2:]))
	}
	return name
}
