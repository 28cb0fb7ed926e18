package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// options is the command line that all peers share; see ../README.md.
type options struct {
	mode       string
	host, port string
	send       int64
	seed       uint64
	receive    int64
	close      string
	timeout    time.Duration
}

func fail(reason string) {
	fmt.Fprintln(os.Stderr, reason+`
usage: anacrolix-utp listen|connect HOST PORT [--send N] [--seed N] [--receive N] [--close first|second|never] [--timeout SECONDS]
       anacrolix-utp stream [--seed N] [--send N]`)
	os.Exit(2)
}

func number(name, text string, low, high int64) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < low || n > high {
		fail(name + ": not a number in range: " + text)
	}
	return n
}

func parse(args []string) options {
	const most = int64(1) << 53
	o := options{seed: 1, close: "second", timeout: time.Minute}
	if len(args) == 0 {
		fail("no mode")
	}
	o.mode, args = args[0], args[1:]
	switch o.mode {
	case "listen", "connect":
		if len(args) < 2 {
			fail("no HOST and PORT")
		}
		o.host, o.port, args = args[0], args[1], args[2:]
		number("PORT", o.port, 0, 65535)
	case "stream":
	default:
		fail("no mode")
	}
	for ; len(args) > 0; args = args[2:] {
		if len(args) == 1 {
			fail(args[0] + ": no value")
		}
		switch value := args[1]; args[0] {
		case "--send":
			o.send = number(args[0], value, 0, most)
		case "--receive":
			o.receive = number(args[0], value, -1, most)
		case "--timeout":
			o.timeout = time.Duration(number(args[0], value, 1, 86400)) * time.Second
		case "--seed":
			seed, err := strconv.ParseUint(value, 10, 64)
			if err != nil {
				seed = uint64(number(args[0], value, -1<<63, 1<<63-1))
			}
			o.seed = seed
		case "--close":
			if value != "first" && value != "second" && value != "never" {
				fail("--close: first, second or never")
			}
			o.close = value
		default:
			fail("unknown option (or not for this library): " + args[0])
		}
	}
	if o.receive == -1 && o.close != "second" {
		fail("--receive -1 goes with --close second only")
	}
	return o
}
