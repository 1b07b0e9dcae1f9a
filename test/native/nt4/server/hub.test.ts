// What the server tells of its clients and their topics, as their sockets carry it, without sockets.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { unpack } from 'msgpackr'
import { WebSocket } from 'ws'
import { decodeFrame } from '../../../../native/nt4/codec.ts'
import { PROTOCOL_40 } from '../../../../native/nt4/protocol.ts'
import { Client } from '../../../../native/nt4/server/client.ts'
import { Hub } from '../../../../native/nt4/server/hub.ts'
import { until } from '../../../support/until.ts'

const TOPICS = 500

/** A hub, and clients that take at once what they are sent. */
const hubWithClients = () => {
  const hub = new Hub({ bad: () => {}, conflict: () => {}, tooLarge: () => {}, persistentChanged: () => {} })
  const join = (name: string) => {
    const told: { method: string; params: { name: string; id: number } }[] = []
    const sent: Buffer[] = []
    const socket = Object.assign(new EventEmitter(), {
      protocol: PROTOCOL_40,
      readyState: WebSocket.OPEN,
      bufferedAmount: 0,
      send: (text: string) => told.push(...JSON.parse(text)),
    })
    const stream = { remoteAddress: '127.0.0.1', remotePort: 1, write: (frame: Buffer) => sent.push(frame) }
    const client = new Client(hub.uniqueName(name), socket as unknown as WebSocket, stream as unknown as Socket)
    hub.join(client)
    const say = (...all: [method: string, params: object][]) => {
      const step = hub.text(client, JSON.stringify(all.map(([method, params]) => ({ method, params }))))
      while (step());
    }
    /** The values of one of the server's own topics. */
    const valuesOf = (topic: string): unknown[] => {
      const id = told.find(({ method, params }) => method === 'announce' && params.name === topic)?.params.id
      return sent
        .flatMap((frame) => decodeFrame(contentOf(frame)).messages)
        .filter((message) => message.id === id)
        .map(({ value }) => unpack(value as Uint8Array))
    }
    return { say, valuesOf }
  }
  return { join }
}

/** Of a frame as a server sends it. */
const contentOf = (frame: Buffer): Buffer => frame.subarray(frame[1] === 127 ? 10 : frame[1] === 126 ? 4 : 2)

const publish = (name: string, pubuid: number): [string, object] => [
  'publish',
  { name, pubuid, type: 'double', properties: {} },
]

const everything: [string, object] = [
  'subscribe',
  { topics: ['$'], subuid: 1, options: { prefix: true, all: true, periodic: 0.01 } },
]

const lengthsOf = (lists: readonly unknown[]): number[] => (lists as unknown[][]).map(({ length }) => length)

test('what a client publishes is told once for all that it announces at a time', async () => {
  const { join } = hubWithClients()
  const reader = join('reader')
  reader.say(everything)
  const publisher = join('robot')
  const lengths = () => lengthsOf(reader.valuesOf('$clientpub$robot@1'))
  await until('the empty list', lengths, ({ length }) => length > 0)

  publisher.say(...Array.from({ length: TOPICS }, (_, n) => publish(`/${n}`, n)))
  await until('the whole list', lengths, (all) => all.at(-1) === TOPICS)
  publisher.say(['unpublish', { pubuid: 0 }], ['unpublish', { pubuid: 1 }])
  await until('the list without two', lengths, (all) => all.at(-1) === TOPICS - 2)

  assert.deepEqual(lengths(), [0, TOPICS, TOPICS - 2])
})

test('what a client subscribes to is told once for all that it says at a time', async () => {
  const { join } = hubWithClients()
  const reader = join('reader')
  reader.say(everything)
  const subscriber = join('robot')
  const lengths = () => lengthsOf(reader.valuesOf('$clientsub$robot@1'))
  await until('the empty list', lengths, ({ length }) => length > 0)

  subscriber.say(
    ...Array.from({ length: TOPICS }, (_, n): [string, object] => [
      'subscribe',
      { topics: [`/${n}`], subuid: n, options: {} },
    ]),
  )
  await until('the whole list', lengths, (all) => all.at(-1) === TOPICS)

  assert.deepEqual(lengths(), [0, TOPICS])
})
