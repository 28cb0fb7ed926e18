package main

import (
	"encoding/binary"
	"net"
	"sync"
)

const (
	stData  = 0
	stFin   = 1
	stState = 2
	stReset = 3
	stSyn   = 4
)

// countingConn looks at the uTP headers that pass through the library's socket: the library tells neither what it
// retransmitted nor whether the other has acknowledged everything.
type countingConn struct {
	net.PacketConn
	mutex       sync.Mutex
	known       bool
	highest     uint16
	acked       uint16
	ackKnown    bool
	highestData uint16
	reset       bool
	retransmits int64
}

func (c *countingConn) WriteTo(p []byte, to net.Addr) (int, error) {
	if len(p) >= 20 && p[0]>>4 != stState {
		c.mutex.Lock()
		kind, seq := p[0]>>4, binary.BigEndian.Uint16(p[16:])
		if kind == stData || kind == stFin || kind == stSyn {
			if c.known && int16(seq-c.highest) <= 0 {
				c.retransmits++
			} else {
				c.known, c.highest = true, seq
			}
			if kind != stFin {
				c.highestData = c.highest
			}
		}
		c.mutex.Unlock()
	}
	return c.PacketConn.WriteTo(p, to)
}

func (c *countingConn) ReadFrom(p []byte) (int, net.Addr, error) {
	n, from, err := c.PacketConn.ReadFrom(p)
	if err == nil && n >= 20 && p[0]>>4 == stReset {
		c.mutex.Lock()
		c.reset = true
		c.mutex.Unlock()
	}
	if err == nil && n >= 20 && p[0]>>4 <= stState {
		c.mutex.Lock()
		ack := binary.BigEndian.Uint16(p[18:])
		if !c.ackKnown || int16(ack-c.acked) > 0 {
			c.ackKnown, c.acked = true, ack
		}
		c.mutex.Unlock()
	}
	return n, from, err
}

// acknowledged tells whether all data sent so far has been acknowledged, and whether the FIN has been too, or can
// no longer be because the other side answered with a RESET.
func (c *countingConn) acknowledged() (data, fin bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	data = !c.known || c.ackKnown && int16(c.acked-c.highestData) >= 0
	fin = c.reset || !c.known || c.ackKnown && int16(c.acked-c.highest) >= 0
	return data, fin
}

func (c *countingConn) resent() int64 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.retransmits
}
