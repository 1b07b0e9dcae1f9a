// Greeting over real sockets: devices that break off, keep silent, or are something else.
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { greetOrLook } from '../../../actors/peers/greet.ts'
import { HELLO_PATH } from '../../../machines/peers/greeting.ts'
import { socketWire } from '../../../native/peers/wire.ts'
import { peerServer, rawServer } from '../../support/peers/peer-server.ts'
import { helloOf } from '../../support/peers/peers.ts'

const LONG_MS = 60_000 // nobody waits for it
const SHORT_MS = 1_000 // a connection is made well within it, also on a busy machine

const kindOf = (origin: string, limits: { readonly limitMs: number; readonly lookMs: number }): Promise<string> => {
  const address = { origin, fingerprint: null, token: null }
  const greeting = greetOrLook(socketWire(), { address, own: null, known: null }, limits)
  return Effect.runPromise(
    Effect.match(greeting, { onSuccess: ({ kind }) => kind, onFailure: ({ code }) => code as string }),
  )
}

const ANSWER = (() => {
  const body = JSON.stringify(helloOf())
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
})()

test('a greeting that breaks off is one of a device that cannot be reached, wherever it was cut', async (t) => {
  let length = 0
  const at = await rawServer(t, (socket) => {
    socket.once('data', () => socket.end(ANSWER.slice(0, length)))
  })

  for (length of [0, 1, 9, 17, 60, ANSWER.length - 300, ANSWER.length - 1])
    assert.equal(await kindOf(`http://${at}`, { limitMs: LONG_MS, lookMs: LONG_MS }), 'peer.unreachable', `${length}`)
  length = ANSWER.length
  assert.equal(await kindOf(`http://${at}`, { limitMs: LONG_MS, lookMs: LONG_MS }), 'native')
})

test('a greeting that is reset is one of a device that cannot be reached', async (t) => {
  const at = await rawServer(t, (socket) => {
    socket.once('data', () => socket.resetAndDestroy())
  })

  assert.equal(await kindOf(`http://${at}`, { limitMs: LONG_MS, lookMs: LONG_MS }), 'peer.unreachable')
})

test('a device that never answers an unknown path is legacy, and one that answers nothing is too slow', async (t) => {
  const answering: RequestListener = ({ url }, response) => {
    if (url !== HELLO_PATH) response.end('<!doctype html>')
  }
  const old = await peerServer(t, answering)
  const mute = await peerServer(t, () => {})

  assert.equal(await kindOf(old.origin, { limitMs: SHORT_MS, lookMs: 2 * SHORT_MS }), 'legacy')
  assert.equal(await kindOf(mute.origin, { limitMs: SHORT_MS, lookMs: SHORT_MS }), 'peer.too_slow')
})

test('a device that was only busy is greeted when it is looked at again', async (t) => {
  let greetings = 0
  const busy = await peerServer(t, ({ url }, response) => {
    if (url !== HELLO_PATH) response.end('its page')
    else if (greetings++ > 0) response.end(JSON.stringify(helloOf()))
  })

  assert.equal(await kindOf(busy.origin, { limitMs: SHORT_MS, lookMs: LONG_MS }), 'native')
})
