package main

import (
	"math"
	"time"
)

// codel is RFC 8289's control law: target 5 ms, interval 100 ms. It is asked when a packet arrives,
// because its sojourn time is known then (the rate is), and drops that packet, not the head.
type codel struct {
	firstAbove time.Duration // when the sojourn time will have been above target for an interval
	dropNext   time.Duration
	count      int
	dropping   bool
}

const (
	codelTarget   = 5 * time.Millisecond
	codelInterval = 100 * time.Millisecond
)

func (c *codel) drops(now, sojourn time.Duration) bool {
	if sojourn < codelTarget {
		c.firstAbove, c.dropping = 0, false
		return false
	}
	if c.firstAbove == 0 {
		c.firstAbove = now + codelInterval
		return false
	}
	if !c.dropping {
		if now < c.firstAbove {
			return false
		}
		c.dropping = true
		if c.count > 2 && now-c.dropNext < 16*codelInterval {
			c.count -= 2
		} else {
			c.count = 1
		}
		c.dropNext = now + c.pause()
		return true
	}
	if now >= c.dropNext {
		c.count++
		c.dropNext += c.pause()
		return true
	}
	return false
}

func (c *codel) pause() time.Duration {
	return time.Duration(float64(codelInterval) / math.Sqrt(float64(c.count)))
}
