package main

import (
	"hash/fnv"
	"time"
)

const (
	fairQueues  = 1024
	fairQuantum = 1514
	fairBatch   = 64 // packets that are dropped at once from the longest queue
)

type held struct {
	arrived time.Duration
	data    []byte
}

// fairQueue is the queue of one flow, or of flows with the same hash.
type fairQueue struct {
	packets []held
	bytes   int
	credit  int
	listed  bool
	aqm     codel
}

func (q *fairQueue) take() (held, bool) {
	if len(q.packets) == 0 {
		return held{}, false
	}
	head := q.packets[0]
	q.packets[0].data = nil
	q.packets = q.packets[1:]
	q.bytes -= len(head.data)
	return head, true
}

// fair is FQ-CoDel (RFC 8290): queues by a hash of the flow take turns of a quantum, new ones first, and
// each is under CoDel's law. What overflows is dropped from the longest.
type fair struct {
	queues     map[uint32]*fairQueue
	fresh, old []*fairQueue
	bytes      int
	dropped    int64 // since somebody asked
}

func newFair() *fair { return &fair{queues: map[uint32]*fairQueue{}} }

func hashOf(flow string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(flow))
	return h.Sum32() % fairQueues
}

// add takes a packet; the slice is then its own.
func (f *fair) add(now time.Duration, data []byte, limit int) {
	key := hashOf(flowOf(data))
	q := f.queues[key]
	if q == nil {
		q = &fairQueue{}
		f.queues[key] = q
	}
	q.packets = append(q.packets, held{now, data})
	q.bytes += len(data)
	f.bytes += len(data)
	if !q.listed {
		q.listed, q.credit = true, fairQuantum
		f.fresh = append(f.fresh, q)
	}
	if f.bytes > limit {
		f.dropFromLongest()
	}
}

func (f *fair) dropFromLongest() {
	var longest *fairQueue
	for _, list := range [][]*fairQueue{f.fresh, f.old} {
		for _, q := range list {
			if longest == nil || q.bytes > longest.bytes {
				longest = q
			}
		}
	}
	n := (len(longest.packets) + 1) / 2
	if n > fairBatch {
		n = fairBatch
	}
	for ; n > 0; n-- {
		head, _ := longest.take()
		f.bytes -= len(head.data)
		f.dropped++
	}
}

// oldest returns when the packet came that has waited longest; something must wait.
func (f *fair) oldest() time.Duration {
	oldest := time.Duration(1<<63 - 1)
	for _, list := range [][]*fairQueue{f.fresh, f.old} {
		for _, q := range list {
			if len(q.packets) > 0 && q.packets[0].arrived < oldest {
				oldest = q.packets[0].arrived
			}
		}
	}
	return oldest
}

// next returns the packet that is served at the given time; false when none waits.
func (f *fair) next(now time.Duration) (held, bool) {
	for {
		list := &f.fresh
		if len(*list) == 0 {
			list = &f.old
		}
		if len(*list) == 0 {
			return held{}, false
		}
		q := (*list)[0]
		if q.credit <= 0 {
			q.credit += fairQuantum
			*list = (*list)[1:]
			f.old = append(f.old, q)
			continue
		}
		head, found := f.fromQueue(q, now)
		if !found {
			wasFresh := list == &f.fresh
			*list = (*list)[1:]
			if wasFresh && len(f.old) > 0 {
				f.old = append(f.old, q) // lest it is always new
			} else {
				q.listed = false
			}
			continue
		}
		q.credit -= len(head.data)
		f.bytes -= len(head.data)
		return head, true
	}
}

// fromQueue drops from the head what CoDel says.
func (f *fair) fromQueue(q *fairQueue, now time.Duration) (held, bool) {
	for {
		head, found := q.take()
		if !found {
			return head, false
		}
		sojourn := now - head.arrived
		if q.bytes <= fairQuantum {
			sojourn = 0 // a queue of one packet is none
		}
		if !q.aqm.drops(now, sojourn) {
			return head, true
		}
		f.bytes -= len(head.data)
		f.dropped++
	}
}
