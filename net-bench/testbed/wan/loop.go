package main

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

const pollIn = 1

// pollFd is struct pollfd of poll(2).
type pollFd struct {
	fd      int32
	events  int16
	revents int16
}

// forward carries packets of both directions, and calls report once in every interval. One thread does all
// of it: what goes through the Go scheduler's hands costs several times as much, at thousands of packets
// a second.
func forward(links []*link, interval time.Duration, report func(now time.Duration)) {
	runtime.LockOSThread()
	start := time.Now()
	clock := func() time.Duration { return time.Since(start) }
	polled := make([]pollFd, len(links))
	for i, l := range links {
		polled[i] = pollFd{fd: int32(l.from), events: pollIn}
	}
	next := interval
	for {
		for _, l := range links {
			l.deliver(clock())
		}
		if now := clock(); now >= next {
			report(now)
			next = (now/interval + 1) * interval
		}
		wake := next
		for _, l := range links {
			if len(l.waiting) > 0 && l.waiting[0].due < wake {
				wake = l.waiting[0].due
			}
			if l.fair != nil && l.fair.bytes > 0 && l.freeAt < wake {
				wake = l.freeAt
			}
		}
		wait := wake - clock()
		if wait < 0 {
			wait = 0
		}
		timeout := syscall.NsecToTimespec(int64(wait))
		// Raw, as Go's monitor would otherwise wake up for every wait.
		_, _, errno := syscall.RawSyscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&polled[0])), uintptr(len(polled)),
			uintptr(unsafe.Pointer(&timeout)), 0, 0, 0)
		if errno != 0 {
			if errno != syscall.EINTR {
				fail(fmt.Errorf("ppoll: %w", errno))
			}
			continue
		}
		for i, l := range links {
			if polled[i].revents != 0 {
				l.receive(clock)
			}
		}
	}
}
