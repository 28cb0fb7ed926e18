package main

import (
	"fmt"
	"math/rand"
	"strings"
	"time"
)

// bursts are random moments at which everything leaves that was served since the one before, as Wi-Fi
// joins the frames of a station.
type bursts struct {
	shortest, longest time.Duration // between two moments, uniform
	rng               *rand.Rand
	next              time.Duration
}

// parseBursts reads "2ms,8ms"; "" is none.
func parseBursts(text string, seed int64) (*bursts, error) {
	if text == "" {
		return nil, nil
	}
	from, to, found := strings.Cut(text, ",")
	if !found {
		return nil, fmt.Errorf("two times are needed, such as 2ms,8ms: %q", text)
	}
	shortest, err := time.ParseDuration(from)
	if err != nil {
		return nil, err
	}
	longest, err := time.ParseDuration(to)
	if err != nil {
		return nil, err
	}
	if shortest <= 0 || longest < shortest {
		return nil, fmt.Errorf("needs 0 < first <= second: %q", text)
	}
	return &bursts{shortest: shortest, longest: longest, rng: rand.New(rand.NewSource(seed))}, nil
}

// after returns the first moment at or after t; t must not fall.
func (b *bursts) after(t time.Duration) time.Duration {
	for b.next < t {
		b.next += b.shortest + time.Duration(b.rng.Float64()*float64(b.longest-b.shortest))
	}
	return b.next
}
