package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"
)

type step struct {
	at    time.Duration
	value float64
}

// schedule is a value that changes in steps: "50mbit", or "0:50mbit,20s:10mbit".
type schedule []step

func (s schedule) value(t time.Duration) float64 {
	v := s[0].value
	for _, st := range s {
		if st.at <= t {
			v = st.value
		}
	}
	return v
}

func parseSchedule(text string, unit func(string) (float64, error)) (schedule, error) {
	var s schedule
	for _, part := range strings.Split(text, ",") {
		at := time.Duration(0)
		if when, value, found := strings.Cut(part, ":"); found {
			part = value
			if when != "0" {
				var err error
				if at, err = time.ParseDuration(when); err != nil {
					return nil, err
				}
			}
		}
		v, err := unit(part)
		if err != nil {
			return nil, err
		}
		s = append(s, step{at, v})
	}
	sort.SliceStable(s, func(i, j int) bool { return s[i].at < s[j].at })
	return s, nil
}

// parseRate reads bit/s: "50mbit", "800kbit", "1e6".
func parseRate(text string) (float64, error) {
	unit := 1.0
	for suffix, bits := range map[string]float64{"kbit": 1e3, "mbit": 1e6, "gbit": 1e9} {
		if strings.HasSuffix(text, suffix) {
			unit, text = bits, strings.TrimSuffix(text, suffix)
			break
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err == nil && !(v > 0) {
		err = fmt.Errorf("a rate must be positive: %q", text)
	}
	return v * unit, err
}

func parseSeconds(text string) (float64, error) {
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		err = fmt.Errorf("a time must not be negative: %q", text)
	}
	return d.Seconds(), err
}
