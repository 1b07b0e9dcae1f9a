// A robot that writes nonsense: a crude NT4 server that keeps time, announces all write keys of a table each second
// under other types, and writes to them as often as it is told to; it notes what our own table says of each frame.
//
//   writing-robot.ts SEED TABLE STREAM
//
// Prints its port. On its standard input: a number: so many writes a second from then on. Each line is answered by one
// of JSON of the time since the line before: { seconds, writes, times }: when the frames were captured that it heard
// of, µs.

import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type WebSocket, WebSocketServer } from 'ws'
import { WRITE_KEYS } from '../../../machines/extcam/writes/keys.ts'
import { decodeFrame, TIME_SYNC_ID, WIRE } from '../../../native/nt4/codec.ts'
import { element, readClientText, textFrame } from '../../../native/nt4/control.ts'
import { MessageEncoder } from '../../../native/nt4/encoder.ts'
import { PROTOCOL_41 } from '../../../native/nt4/protocol.ts'
import { seeded } from '../../support/engine/random-graphs.ts'
import { randomWrite, TYPES, type WrittenType } from './random-writes.ts'

const [seed = '1', table = 'limelight', stream = 'front'] = process.argv.slice(2)
const TICK_MS = 2
const ANNOUNCE_MS = 1_000
const PING_MS = 200

const nowUs = (): number => Math.round(performance.now() * 1000) + 5_000_000_000

const random = seeded(Number(seed))
const encoder = new MessageEncoder()
let device: WebSocket | undefined
let captured: number | undefined // the handle under which our table tells when a frame was captured
let topics: readonly { readonly id: number; readonly name: string; readonly type: WrittenType }[] = []
let lastId = 0
let [rate, writes] = [0, 0]
let sinceMs = performance.now()
let times: number[] = []

/** The same names, as others. */
const announce = (): void => {
  if (!device) return
  const gone = topics.map(({ name, id }) => element('unannounce', { name, id }))
  topics = WRITE_KEYS.map((key) => {
    lastId += 1
    return { id: lastId, name: `/${table}/${key}`, type: TYPES[random(TYPES.length)] as WrittenType }
  })
  const come = topics.map(({ name, id, type }) => element('announce', { name, id, type, properties: {} }))
  device.send(textFrame([...gone, ...come]))
}

/** A number above 0 on `throttle_set` asks for frames to be left out, which is no loss. */
const write = (): void => {
  const topic = topics[random(topics.length)]
  if (!topic) return
  const isPositive = !topic.name.endsWith('/throttle_set')
  device?.send(randomWrite(random, { id: topic.id, type: topic.type, nowUs: nowUs(), isPositive }))
  writes += 1
}

const hear = (frame: Buffer): void => {
  for (const { id, value } of decodeFrame(frame).messages) {
    if (id === captured) times.push(Number(value))
    if (id !== TIME_SYNC_ID) continue
    encoder.begin(true)
    encoder.put(TIME_SYNC_ID, nowUs(), WIRE.int, value)
    device?.send(Buffer.from(encoder.take()))
  }
}

const server = new WebSocketServer({
  host: '127.0.0.1',
  port: 0,
  handleProtocols: (offered) => offered.has(PROTOCOL_41) && PROTOCOL_41,
})
server.on('listening', () => console.log((server.address() as AddressInfo).port))
server.on('connection', (socket) => {
  device = socket
  topics = []
  socket.on('error', () => {})
  socket.on('message', (data, isBinary) => {
    if (isBinary) return hear(data as Buffer)
    for (const message of readClientText(data.toString()).messages)
      if (message.method === 'publish' && message.name === `/vedette/${stream}/captured_us`) captured = message.pubuid
  })
})
setInterval(() => device?.ping(), PING_MS)
setInterval(() => rate > 0 && announce(), ANNOUNCE_MS)
setInterval(() => {
  const due = Math.floor((rate * (performance.now() - sinceMs)) / 1000)
  while (device && topics.length > 0 && writes < due) write()
}, TICK_MS)
createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(JSON.stringify({ seconds: (performance.now() - sinceMs) / 1000, writes, times }))
  rate = Number(line)
  if (rate > 0) announce()
  ;[writes, times, sinceMs] = [0, [], performance.now()]
})
process.once('SIGTERM', () => process.exit())
