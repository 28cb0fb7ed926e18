// The content that all peers and Ebb's tests agree on: SplitMix64, each number as 8 bytes, little-endian.
'use strict'

const crypto = require('crypto')

// SplitMix64 with 64-bit numbers as pairs of 32 bits: BigInt is 50 times slower, and the content must
// not be what limits the transfer.
class SeededStream {
  constructor (seed) {
    const state = BigInt.asUintN(64, BigInt(seed))
    this.hi = Number(state >> 32n)
    this.lo = Number(state & 0xffffffffn)
    this.word = Buffer.alloc(8)
    this.used = 8
  }

  _next () {
    let lo = this.lo + 0x7f4a7c15
    this.hi = (this.hi + 0x9e3779b9 + (lo > 0xffffffff ? 1 : 0)) >>> 0
    this.lo = lo >>> 0
    let hi = this.hi
    lo = this.lo
    // z ^= z >>> 30; z *= 0xbf58476d1ce4e5b9
    let xlo = (lo ^ ((lo >>> 30) | (hi << 2))) >>> 0
    let xhi = (hi ^ (hi >>> 30)) >>> 0
    hi = mulHigh(xhi, xlo, 0xbf58476d, 0x1ce4e5b9)
    lo = Math.imul(xlo, 0x1ce4e5b9) >>> 0
    // z ^= z >>> 27; z *= 0x94d049bb133111eb
    xlo = (lo ^ ((lo >>> 27) | (hi << 5))) >>> 0
    xhi = (hi ^ (hi >>> 27)) >>> 0
    hi = mulHigh(xhi, xlo, 0x94d049bb, 0x133111eb)
    lo = Math.imul(xlo, 0x133111eb) >>> 0
    // z ^ z >>> 31
    this.word.writeUInt32LE((lo ^ ((lo >>> 31) | (hi << 1))) >>> 0, 0)
    this.word.writeUInt32LE((hi ^ (hi >>> 31)) >>> 0, 4)
    this.used = 0
  }

  fill (buffer) {
    let at = 0
    while (at < buffer.length) {
      if (this.used === 8) this._next()
      const n = Math.min(8 - this.used, buffer.length - at)
      this.word.copy(buffer, at, this.used, this.used + n)
      this.used += n
      at += n
    }
    return buffer
  }
}

// The upper 32 bits of the 64-bit product (wrapped) of two 64-bit numbers.
function mulHigh (ahi, alo, bhi, blo) {
  const a0 = alo & 0xffff
  const a1 = alo >>> 16
  const b0 = blo & 0xffff
  const b1 = blo >>> 16
  const low = a0 * b0
  const mid = a1 * b0 + (low >>> 16)
  const mid2 = a0 * b1 + (mid % 0x10000)
  const carry = a1 * b1 + Math.floor(mid / 0x10000) + Math.floor(mid2 / 0x10000)
  return (carry + Math.imul(ahi, blo) + Math.imul(alo, bhi)) >>> 0
}

function sha256OfStream (seed, bytes) {
  const stream = new SeededStream(seed)
  const hash = crypto.createHash('sha256')
  for (let left = bytes; left > 0;) {
    const chunk = stream.fill(Buffer.allocUnsafe(Math.min(left, 65536)))
    hash.update(chunk)
    left -= chunk.length
  }
  return hash.digest('hex')
}

module.exports = { SeededStream, sha256OfStream }
