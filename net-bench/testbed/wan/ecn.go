package main

import "encoding/binary"

const (
	ecnBits     = 3
	congestedCE = 3
)

// markCE sets CE (RFC 3168) in an IPv4 packet that is ECN-capable, and reports whether it did. A packet
// that says that it is not, or has CE already, stays as it is.
func markCE(p []byte) bool {
	if len(p) < 20 || p[0]>>4 != 4 || p[1]&ecnBits == 0 || p[1]&ecnBits == congestedCE {
		return false
	}
	before := binary.BigEndian.Uint16(p[0:2])
	p[1] |= congestedCE
	// RFC 1624: the checksum follows the word that changed.
	sum := uint32(^binary.BigEndian.Uint16(p[10:12])) + uint32(^before) + uint32(binary.BigEndian.Uint16(p[0:2]))
	sum = sum&0xffff + sum>>16
	sum = sum&0xffff + sum>>16
	binary.BigEndian.PutUint16(p[10:12], ^uint16(sum))
	return true
}
