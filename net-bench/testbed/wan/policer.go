package main

import "time"

// policer is a token bucket that drops what exceeds it, in front of the buffer and without delay.
type policer struct {
	rate   schedule // bit/s
	bucket float64  // bytes
	tokens float64
	filled time.Duration
}

func newPolicer(rate schedule, bucket float64) *policer {
	return &policer{rate: rate, bucket: bucket, tokens: bucket}
}

func (p *policer) passes(now time.Duration, bytes int) bool {
	p.tokens += (now - p.filled).Seconds() * p.rate.value(now) / 8
	p.filled = now
	if p.tokens > p.bucket {
		p.tokens = p.bucket
	}
	if p.tokens < float64(bytes) {
		return false
	}
	p.tokens -= float64(bytes)
	return true
}
