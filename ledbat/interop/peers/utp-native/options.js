// The command line that all peers share; see ../README.md.
'use strict'

const USAGE = 'usage: utp-native listen|connect HOST PORT [--send N] [--seed N] [--receive N] ' +
  '[--close first|second|never] [--timeout SECONDS]\n       utp-native stream [--seed N] [--send N]'

function fail (reason) {
  console.error(reason + '\n' + USAGE)
  process.exit(2)
}

function whole (name, text, min, max) {
  if (!/^-?\d+$/.test(text || '')) fail(name + ': not a number: ' + text)
  const value = Number(text)
  if (value < min || value > max) fail(name + ': out of range: ' + text)
  return value
}

function parse (argv) {
  const o = { mode: argv[0], send: 0, seed: '1', receive: 0, close: 'second', timeout: 60 }
  let at = 1
  if (o.mode === 'listen' || o.mode === 'connect') {
    o.host = argv[at++] || fail('no HOST')
    o.port = whole('PORT', argv[at++], o.mode === 'listen' ? 0 : 1, 65535)
  } else if (o.mode !== 'stream') {
    fail('no mode')
  }
  for (; at < argv.length; at += 2) {
    const value = argv[at + 1]
    switch (argv[at]) {
      case '--send': o.send = whole('--send', value, 0, Number.MAX_SAFE_INTEGER); break
      case '--receive': o.receive = whole('--receive', value, -1, Number.MAX_SAFE_INTEGER); break
      case '--timeout': o.timeout = whole('--timeout', value, 1, 86400); break
      case '--seed':
        if (!/^-?\d+$/.test(value || '')) fail('--seed: not a number: ' + value)
        o.seed = value
        break
      case '--close':
        if (!['first', 'second', 'never'].includes(value)) fail('--close: ' + value)
        o.close = value
        break
      default: fail('unknown option (or not for this library): ' + argv[at])
    }
  }
  if (o.receive === -1 && o.close !== 'second') fail('--receive -1 goes with --close second only')
  return o
}

module.exports = { parse }
