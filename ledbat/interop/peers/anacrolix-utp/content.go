package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// seededStream is the content that all peers and Ebb's tests agree on: SplitMix64, each number as 8 bytes,
// little-endian.
type seededStream struct {
	state uint64
	word  [8]byte
	used  int
}

func newSeededStream(seed uint64) *seededStream {
	return &seededStream{state: seed, used: 8}
}

func (s *seededStream) fill(buffer []byte) {
	for i := range buffer {
		if s.used == 8 {
			s.state += 0x9E3779B97F4A7C15
			z := s.state
			z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
			z = (z ^ (z >> 27)) * 0x94D049BB133111EB
			binary.LittleEndian.PutUint64(s.word[:], z^(z>>31))
			s.used = 0
		}
		buffer[i] = s.word[s.used]
		s.used++
	}
}

func hexOf(h hash.Hash) string {
	return hex.EncodeToString(h.Sum(nil))
}

func sha256OfStream(seed uint64, bytes int64) string {
	stream := newSeededStream(seed)
	h := sha256.New()
	chunk := make([]byte, chunkBytes)
	for bytes > 0 {
		n := min(bytes, int64(len(chunk)))
		stream.fill(chunk[:n])
		h.Write(chunk[:n])
		bytes -= n
	}
	return hexOf(h)
}
