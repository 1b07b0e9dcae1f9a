// Those who listen to the bus, on sockets that do what the test says.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { unpack } from 'msgpackr'
import type { WebSocket } from 'ws'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { EventFeed, type EventFeedParts } from '../../../api/events/event-feed.ts'
import { asJson, asMessagePack, type EventForm } from '../../../api/events/event-form.ts'
import type { EventDocument } from '../../../machines/events/event.ts'
import { streamChanged } from '../../../machines/stream/events.ts'

/** A connection as its writer sees it. takes: whether the system has at once what is written. */
class FakeConnection {
  takes = true
  readonly log: string[] = []
  readonly frames: Buffer[] = []
  #held: (() => void)[] = []

  write(bytes: Buffer, taken: () => void = () => {}): boolean {
    this.log.push('write')
    for (const frame of framesIn(bytes)) this.frames.push(frame)
    if (this.takes) process.nextTick(taken)
    else this.#held.push(taken)
    return true
  }

  cork(): void {
    this.log.push('cork')
  }

  uncork(): void {
    this.log.push('uncork')
  }

  /** The system has all that was written. */
  take(): void {
    const held = this.#held
    this.#held = []
    for (const taken of held) taken()
  }

  /** The JSON that was written. */
  get texts(): EventDocument[] {
    return this.frames.map((frame) => JSON.parse(String(payloadOf(frame))))
  }
}

const headBytesOf = (frame: Buffer): number => ({ 126: 4, 127: 10 })[frame[1] as number] ?? 2

const payloadOf = (frame: Buffer): Buffer => frame.subarray(headBytesOf(frame))

const framesIn = (bytes: Buffer): Buffer[] => {
  const frames: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const [rest, headBytes] = [bytes.subarray(at), headBytesOf(bytes.subarray(at))]
    const long = headBytes === 4 ? rest.readUInt16BE(2) : headBytes === 10 ? Number(rest.readBigUInt64BE(2)) : rest[1]
    frames.push(rest.subarray(0, headBytes + (long as number)))
    at += headBytes + (long as number)
  }
  return frames
}

class FakeSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  pings = 0
  isCut = false
  closedWith: number | undefined
  readonly connection = new FakeConnection()

  ping(): void {
    this.pings += 1
  }

  close(code: number): void {
    this.readyState = 2
    this.closedWith = code
  }

  terminate(): void {
    this.isCut = true
    this.emit('close')
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

const listening = (t: TestContext, parts: Partial<EventFeedParts> = {}) => {
  const events = createEventBus({ epoch: 'e1', nowMs: () => 1000 })
  const feed = new EventFeed({ events, pingEveryMs: 5_000, silentPings: 3, ...parts })
  t.after(() => feed.close())
  const join = (form?: EventForm, seen = {}, hasBeats = false) => {
    const socket = new FakeSocket()
    const ends = { socket: socket as unknown as WebSocket, connection: socket.connection as unknown as Socket }
    feed.accept({ ...ends, hasBeats, ...(form && { form }) }, seen)
    return socket
  }
  const happen = (stream_id = 'front') =>
    events.publish(streamChanged, { resource_ref: { stream_id }, revision: 1, data: { deleted: false } })
  return { events, feed, join, happen }
}

const GREETING = 2 // messages: hello and reset

test('an event is written out once for each form, and the bytes are nobody else’s', async (t) => {
  const { join, happen } = listening(t)
  const [one, other, packed, packedToo] = [join(), join(asJson), join(asMessagePack), join(asMessagePack)]
  const written = ({ connection }: FakeSocket, n: number) => connection.frames[GREETING + n] as Buffer
  await turn()

  const event = happen()
  await turn()
  const next = happen('side')
  await turn()

  for (const [left, right] of [
    [one, other],
    [packed, packedToo],
  ] as const) {
    assert.equal(written(left, 0).buffer, written(right, 0).buffer)
    assert.equal(written(left, 0).byteOffset, written(right, 0).byteOffset)
  }
  assert.deepEqual([written(one, 0)[0], written(packed, 0)[0]], [0x81, 0x82])
  assert.deepEqual(JSON.parse(String(payloadOf(written(one, 0)))), event)
  assert.deepEqual(
    [0, 1].map((n) => unpack(payloadOf(written(packed, n)))),
    [event, next],
  )
})

test('what happens in one turn of the event loop goes out in one write', async (t) => {
  const { join, happen } = listening(t)
  const { connection } = join()
  await turn()
  connection.log.length = 0

  happen()
  happen()
  const before = [...connection.log]
  await turn()
  happen()
  await turn()

  assert.deepEqual(before, [])
  assert.deepEqual(connection.log, ['write', 'write'])
  assert.deepEqual(
    connection.texts.slice(GREETING).map(({ seq }) => seq),
    [1, 2, 3],
  )
})

test('who comes in the midst of a turn hears of each event once', async (t) => {
  const { events, join, happen } = listening(t)
  const [early] = [join()]
  const { seq } = happen()

  const [late, back] = [join(), join(asJson, { since: 0, epoch: events.epoch })]
  happen()
  await turn()

  const heard = ({ connection }: FakeSocket) => connection.texts.slice(1).map(({ kind, seq }) => [kind, seq])
  assert.deepEqual(heard(early), [
    ['reset', 0],
    ['stream_changed', seq],
    ['stream_changed', 2],
  ])
  assert.deepEqual(heard(late), [
    ['reset', seq],
    ['stream_changed', 2],
  ])
  assert.deepEqual(heard(back), [
    ['stream_changed', seq],
    ['stream_changed', 2],
  ])
})

test('what is not told here is not written', async (t) => {
  const { join, happen } = listening(t, { tells: ({ resource_ref }) => resource_ref.stream_id !== 'front' })
  const { connection } = join()

  happen()
  happen('side')
  await turn()

  const refs = connection.texts.slice(GREETING).map(({ resource_ref }) => resource_ref)
  assert.deepEqual(refs, [{ stream_id: 'side' }])
})

/** Large enough that the fifth is more than a mebibyte. */
const LARGE = 'x'.repeat(250_000)

test('who is more than a mebibyte behind is told to come back, and gets nothing more', async (t) => {
  const { join, happen } = listening(t)
  const [slow, quick] = [join(), join()]
  slow.connection.takes = false
  await turn()
  happen('the last that he is sent')
  await turn()

  for (let n = 0; n < 4; n++) {
    happen(LARGE)
    await turn()
  }
  assert.equal(slow.closedWith, undefined)
  happen(LARGE)
  await turn()
  happen()
  slow.connection.take()
  await turn()

  assert.deepEqual([slow.closedWith, slow.connection.frames.length], [1013, GREETING + 1])
  assert.deepEqual([quick.closedWith, quick.connection.frames.length], [undefined, GREETING + 7])
})

test('a connection that is not ready gets nothing, and then all that came meanwhile, in order and parts', async (t) => {
  const { join, happen } = listening(t)
  const { connection } = join()
  connection.takes = false
  await turn()
  happen()
  await turn()
  connection.log.length = 0

  for (let n = 0; n < 10; n++) {
    happen('y'.repeat(20_000))
    await turn()
  }
  const meanwhile = [...connection.log]
  connection.take()
  const first = [...connection.log]
  connection.take()
  connection.takes = true
  connection.take()
  await turn()

  assert.deepEqual(meanwhile, [])
  assert.deepEqual(first, ['cork', 'write', 'write', 'write', 'write', 'uncork'])
  assert.deepEqual(connection.log, [...first, ...first, 'cork', 'write', 'write', 'uncork'])
  assert.deepEqual(
    connection.texts.slice(GREETING).map(({ seq }) => seq),
    Array.from({ length: 11 }, (_, n) => n + 1),
  )
})

test('a connection that breaks is sent nothing of what waits, and keeps nothing from the others', async (t) => {
  const { join, happen } = listening(t)
  const [breaking, other] = [join(), join()]
  await turn()
  let breaks: (error: Error) => void = () => {}
  let written = 0
  breaking.connection.write = (_bytes, taken: (error?: Error) => void = () => {}) => {
    written += 1
    breaks = taken
    return true
  }

  happen()
  await turn()
  happen()
  await turn()
  breaks(new Error('write EPIPE'))

  assert.equal(written, 1)
  assert.equal(other.connection.frames.length, GREETING + 2)
})

test('who answers no ping is cut off after three of them, and an answer counts from anew', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { join } = listening(t)
  const [deaf, alive] = [join(), join()]

  for (let n = 0; n < 3; n++) {
    t.mock.timers.tick(5_000)
    if (n === 1) alive.emit('pong')
  }
  assert.deepEqual([deaf.pings, deaf.isCut, alive.isCut], [3, false, false])
  t.mock.timers.tick(5_000)

  assert.deepEqual([deaf.isCut, alive.isCut, alive.pings], [true, false, 4])
})

test('who asked for beats hears one every five seconds until it is closed, and nobody else', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { join } = listening(t)
  const [plain, one, closing] = [join(), join(asJson, {}, true), join(asJson, {}, true)]

  t.mock.timers.tick(5_000)
  closing.close(1001)
  t.mock.timers.tick(10_000)
  one.terminate()
  t.mock.timers.tick(10_000)

  const beatsIn = ({ connection }: FakeSocket) => connection.texts.filter(({ kind }) => String(kind) === 'beat').length
  assert.deepEqual([plain, one, closing].map(beatsIn), [0, 3, 1])
})
