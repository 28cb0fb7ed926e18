// libutp (through the npm package utp-native) as an interoperability peer; see ../README.md.
'use strict'

const crypto = require('crypto')
const utp = require('utp-native')
const { parse } = require('./options')
const { SeededStream, sha256OfStream } = require('./stream')

const HELLO = Buffer.from('EBBPEER1')
const CHUNK_BYTES = 65536
// The UDP socket stays this long after the end, as it would in a real program: libutp has no TIME_WAIT and answers
// a repeated FIN of a connection that it forgot with a RESET, which is better than an ICMP error.
const LINGER_MILLIS = 500

const options = parse(process.argv.slice(2))
const state = {
  sent: 0,
  received: 0,
  sentHash: crypto.createHash('sha256'),
  receivedHash: crypto.createHash('sha256'),
  hello: options.mode === 'listen' ? Buffer.alloc(0) : null,
  startedNanos: 0n,
  lastNanos: 0n,
  sendDone: false,
  sawEnd: false,
  closing: false,
  error: null,
  done: false
}

function print (event) {
  process.stdout.write(JSON.stringify(event) + '\n')
}

function finish (end) {
  if (state.done) return
  state.done = true
  const ok = state.sent === options.send && state.sendDone &&
    (options.receive === -1 || state.received === options.receive) && ['eof', 'closed', 'open'].includes(end)
  print({
    event: 'done',
    sent: state.sent,
    received: state.received,
    sentSha256: state.sentHash.digest('hex'),
    receivedSha256: state.receivedHash.digest('hex'),
    seconds: Number(state.lastNanos - state.startedNanos) / 1e9,
    end,
    version: 'utp-native ' + require('utp-native/package.json').version,
    retransmits: null
  })
  setTimeout(() => process.exit(ok ? 0 : 5), end === 'open' ? 0 : LINGER_MILLIS)
}

function touch () {
  state.lastNanos = process.hrtime.bigint()
}

function maybeClose (conn) {
  const complete = state.sendDone && state.received >= options.receive
  if (options.close === 'first' && complete && !state.closing) {
    state.closing = true
    conn.end()
  } else if (options.close === 'never' && complete) {
    finish('open')
  } else if (options.close === 'second' && state.sawEnd && !state.closing && (state.sendDone || state.error)) {
    state.closing = true
    conn.end()
  }
}

function send (conn) {
  const stream = new SeededStream(options.seed)
  function more () {
    if (state.sent === options.send) {
      state.sendDone = true
      touch()
      maybeClose(conn)
      return
    }
    const chunk = stream.fill(Buffer.allocUnsafe(Math.min(CHUNK_BYTES, options.send - state.sent)))
    conn.write(chunk, (error) => {
      if (error) return
      state.sentHash.update(chunk)
      state.sent += chunk.length
      touch()
      more()
    })
  }
  more()
}

function takeHello (chunk) {
  state.hello = Buffer.concat([state.hello, chunk.subarray(0, HELLO.length - state.hello.length)])
  return state.hello.length === HELLO.length
}

function serve (conn) {
  conn.on('data', (chunk) => {
    if (state.hello !== null && state.hello.length < HELLO.length) {
      const before = state.hello.length
      const whole = takeHello(chunk)
      chunk = chunk.subarray(state.hello.length - before)
      if (whole && !state.hello.equals(HELLO)) {
        state.error = 'error: hello'
        conn.destroy()
        return
      }
      if (whole) send(conn)
    }
    if (chunk.length === 0) return
    state.receivedHash.update(chunk)
    state.received += chunk.length
    touch()
    maybeClose(conn)
  })
  conn.on('end', () => {
    state.sawEnd = true
    touch()
    maybeClose(conn)
  })
  conn.on('error', (error) => {
    if (state.error === null) {
      const known = { UTP_ECONNRESET: 'reset', UTP_ETIMEDOUT: 'error: the library gave up (UTP_ETIMEDOUT)' }
      state.error = known[error.code] || 'error: ' + error.message
    }
  })
  conn.on('close', () => finish(state.error || (state.sawEnd ? 'eof' : state.closing ? 'closed' : 'error: closed')))
}

function connected () {
  state.startedNanos = process.hrtime.bigint()
  state.lastNanos = state.startedNanos
  print({ event: 'connected' })
}

if (options.mode === 'stream') {
  print({ event: 'stream', bytes: options.send, sha256: sha256OfStream(options.seed, options.send) })
  process.exit(0)
}

setTimeout(() => finish('timeout'), options.timeout * 1000)
const socket = utp()
socket.on('error', (error) => finish('error: ' + error.message))
if (options.mode === 'listen') {
  socket.on('connection', (conn) => {
    socket.firewall(true)
    connected()
    serve(conn)
  })
  socket.listen(options.port, options.host, () => print({ event: 'listening', port: socket.address().port }))
} else {
  const conn = socket.connect(options.port, options.host)
  conn.on('connect', () => {
    connected()
    conn.write(HELLO)
    send(conn)
  })
  serve(conn)
}
