// One side of an endless stream through libutp (npm utp-native), for `ebb bench transport`: no content, no hashes,
// 4 MB socket buffers. It answers every line "mark" on standard input by what it has done, and ends with its input.
// Usage: node -e "$(cat utp-native.js)" DIRECTORY-OF-THE-MODULE receive ADDRESS | send ADDRESS PEER PORT
'use strict'

const utp = require(process.argv[1])
const [, , role, address, peer, port] = process.argv
const SOCKET_BUFFER_BYTES = 4 << 20
const CHUNK = Buffer.alloc(65536)

let bytes = 0
const socket = utp()

function fail (error) {
  console.log('FAILED ' + error.message)
}

function buffers () {
  socket.setRecvBufferSize(SOCKET_BUFFER_BYTES)
  socket.setSendBufferSize(SOCKET_BUFFER_BYTES)
}

let pending = ''
process.stdin.on('data', (text) => {
  pending += text
  for (let end = pending.indexOf('\n'); end >= 0; end = pending.indexOf('\n')) {
    if (pending.slice(0, end) === 'mark') {
      const cpu = process.cpuUsage()
      console.log(`MARK bytes=${bytes} nanos=${process.hrtime.bigint()} cpu=${(cpu.user + cpu.system) * 1000}`)
    }
    pending = pending.slice(end + 1)
  }
})
process.stdin.on('end', () => process.exit(0))

socket.on('error', fail)
if (role === 'receive') {
  socket.on('connection', (conn) => {
    conn.on('data', (chunk) => { bytes += chunk.length })
    conn.on('error', fail)
  })
  socket.listen(0, address, () => {
    buffers()
    console.log('PORT ' + socket.address().port)
  })
} else {
  socket.bind(0, address, () => {
    buffers()
    const conn = socket.connect(Number(port), peer)
    conn.on('connect', () => console.log('CONNECTED'))
    conn.on('error', fail)
    conn.on('data', () => {})
    function more (error) {
      if (error) return
      bytes += CHUNK.length
      conn.write(CHUNK, more)
    }
    conn.write(CHUNK, more)
  })
}
