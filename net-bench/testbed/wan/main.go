// wan joins two network namespaces by a bottleneck link in user space, for kernels without the netem
// queueing discipline. It needs root.
//
// It makes a TUN device (wan0) in each namespace and carries IP packets between them. Each direction
// has a rate, a propagation delay and a drop-tail, CoDel or FQ-CoDel buffer. Any program (kernel TCP, UDP, uTP,
// QUIC) crosses it unchanged. 10.99.0.1 is the address in -a, 10.99.0.2 the one in -b.
//
// Not tbf on the sender's own interface: there TCP small queues push back on the sender, so that the
// queue never fills. A TUN device takes every packet at once.
//
// Every interval it logs a line of JSON for each direction (see line). It ends on SIGINT or SIGTERM, or
// after -time.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// tun opens a new TUN device, which is removed when this process ends.
func tun(name string) int {
	const (
		tunSetIff = 0x400454ca
		iffTun    = 0x0001
		iffNoPi   = 0x1000
	)
	fd, err := syscall.Open("/dev/net/tun", syscall.O_RDWR|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		fail(fmt.Errorf("/dev/net/tun: %w", err))
	}
	var request [40]byte
	copy(request[:15], name)
	binary.LittleEndian.PutUint16(request[16:], iffTun|iffNoPi)
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), tunSetIff, uintptr(unsafe.Pointer(&request[0]))); errno != 0 {
		fail(fmt.Errorf("cannot make a TUN device: %w", errno))
	}
	return fd
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "wan:", err)
	os.Exit(1)
}

// refuse ends it because of what was asked for.
func refuse(err error) {
	fmt.Fprintln(os.Stderr, "wan:", err)
	os.Exit(2)
}

func contradictions(found bool, message string) {
	if found {
		refuse(fmt.Errorf("%s", message))
	}
}

func run(args ...string) {
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		fail(fmt.Errorf("%s: %v: %s", strings.Join(args, " "), err, out))
	}
}

// device makes the link's end in a namespace.
func device(namespace, address, temporary string, mtu int) int {
	fd := tun(temporary)
	run("ip", "link", "set", temporary, "netns", namespace, "name", "wan0")
	run("ip", "-n", namespace, "addr", "add", address, "dev", "wan0")
	run("ip", "-n", namespace, "link", "set", "wan0", "mtu", strconv.Itoa(mtu), "txqueuelen", "10000", "up")
	return fd
}

func parsed(flagName, text string, unit func(string) (float64, error)) schedule {
	s, err := parseSchedule(text, unit)
	if err != nil {
		refuse(fmt.Errorf("-%s: %w", flagName, err))
	}
	return s
}

func main() {
	a := flag.String("a", "left", "namespace of 10.99.0.1")
	b := flag.String("b", "right", "namespace of 10.99.0.2")
	rate := flag.String("rate", "50mbit", "rate from a to b; a schedule is 0:50mbit,20s:10mbit")
	back := flag.String("back-rate", "", "rate from b to a (default: as -rate)")
	delay := flag.String("delay", "20ms", "one-way propagation delay, each way; may be a schedule")
	backDelay := flag.String("back-delay", "", "the same from b to a (default: as -delay)")
	jitter := flag.String("jitter", "0s", "extra one-way delay, uniform in 0..jitter, order kept; may be a schedule")
	buffer := flag.Duration("buffer", 200*time.Millisecond, "drop-tail buffer, as time at the rate")
	loss := flag.Float64("loss", 0, "probability that a packet from a to b is lost behind the buffer")
	backLoss := flag.Float64("back-loss", 0, "the same from b to a")
	reorder := flag.Float64("reorder", 0, "probability that a packet overtakes the one before it, each way")
	duplicate := flag.Float64("duplicate", 0, "probability that a packet arrives twice, each way")
	aqm := flag.Bool("codel", false, "CoDel (RFC 8289) on the buffer from a to b")
	fq := flag.Bool("fq-codel", false, "FQ-CoDel (RFC 8290) on the buffer from a to b")
	ce := flag.Duration("ce-threshold", 0, "set CE on what waits longer in the buffer from a to b and is ECN-capable, such as 20ms")
	police := flag.String("policer", "", "rate from a to b beyond which packets are dropped at once; may be a schedule")
	bucket := flag.Int("bucket", 0, "bytes that the policer lets pass at once")
	burst := flag.String("bursts", "", "from a to b serve in one go, at random times so far apart: 2ms,8ms")
	mtu := flag.Int("mtu", 1500, "MTU of both ends, bytes")
	seed := flag.Int64("seed", 1, "seed of the random choices")
	logName := flag.String("log", "", "file of the log (default: standard output)")
	interval := flag.Duration("interval", 100*time.Millisecond, "between lines of the log")
	limit := flag.Duration("time", time.Hour, "end after so long")
	flag.Parse()
	if flag.NArg() > 0 {
		refuse(fmt.Errorf("what is %q?", flag.Arg(0)))
	}
	if *back == "" {
		*back = *rate
	}
	if *backDelay == "" {
		*backDelay = *delay
	}
	forth := path{rate: parsed("rate", *rate, parseRate), delay: parsed("delay", *delay, parseSeconds),
		jitter: parsed("jitter", *jitter, parseSeconds), buffer: *buffer, codel: *aqm,
		loss: *loss, reorder: *reorder, duplicate: *duplicate}
	contradictions(*aqm && *fq, "-codel and -fq-codel contradict")
	contradictions((*police == "") != (*bucket == 0), "-policer and -bucket belong together")
	contradictions(*bucket < 0 || (*bucket > 0 && *bucket < *mtu), "-bucket holds less than a packet")
	forth.fq, forth.ceThreshold = *fq, *ce
	if *police != "" {
		forth.policer = newPolicer(parsed("policer", *police, parseRate), float64(*bucket))
	}
	var err error
	if forth.bursts, err = parseBursts(*burst, *seed+2); err != nil {
		refuse(fmt.Errorf("-bursts: %w", err))
	}
	backward := forth
	backward.rate, backward.delay = parsed("back-rate", *back, parseRate), parsed("back-delay", *backDelay, parseSeconds)
	backward.codel, backward.fq, backward.policer, backward.bursts, backward.ceThreshold = false, false, nil, nil, 0
	backward.loss = *backLoss

	out := os.Stdout
	if *logName != "" {
		if out, err = os.Create(*logName); err != nil {
			fail(err)
		}
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	fa := device(*a, "10.99.0.1/24", fmt.Sprintf("wan%da", os.Getpid()), *mtu)
	fb := device(*b, "10.99.0.2/24", fmt.Sprintf("wan%db", os.Getpid()), *mtu)
	links := []*link{
		newLink(forth, fa, fb, *seed, newJournal("a>b", *interval)),
		newLink(backward, fb, fa, *seed+1, newJournal("b>a", *interval)),
	}
	buffered := bufio.NewWriter(out)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	fmt.Fprintln(os.Stderr, "wan: up")
	go forward(links, *interval, func(now time.Duration) {
		for _, l := range links {
			for _, over := range l.lines(now) {
				encoder.Encode(over)
			}
		}
		buffered.Flush()
	})
	select {
	case <-stop:
	case <-time.After(*limit):
	}
}
