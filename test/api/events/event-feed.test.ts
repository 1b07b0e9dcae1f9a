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
import { streamChanged } from '../../../machines/stream/events.ts'

/** A connection as its writer sees it. */
class FakeConnection {
  corks = 0
  readonly log: string[] = []

  cork(): void {
    this.corks += 1
    this.log.push('cork')
  }

  uncork(): void {
    this.corks -= 1
    this.log.push('uncork')
  }
}

class FakeSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  pings = 0
  isCut = false
  closedWith: number | undefined
  readonly connection = new FakeConnection()
  readonly sent: { readonly bytes: Buffer; readonly binary: boolean }[] = []

  send(bytes: Buffer, { binary }: { binary: boolean }): void {
    this.sent.push({ bytes, binary })
    this.connection.log.push('send')
  }

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
  const join = (form?: EventForm) => {
    const socket = new FakeSocket()
    const ends = { socket: socket as unknown as WebSocket, connection: socket.connection as unknown as Socket }
    feed.accept({ ...ends, ...(form && { form }) }, {})
    return socket
  }
  const happen = (stream_id = 'front') =>
    events.publish(streamChanged, { resource_ref: { stream_id }, revision: 1, data: { deleted: false } })
  return { events, feed, join, happen }
}

test('an event is written out once for each form, and the bytes are nobody else’s', async (t) => {
  const { join, happen } = listening(t)
  const [one, other, packed, packedToo] = [join(), join(asJson), join(asMessagePack), join(asMessagePack)]

  const [event, next] = [happen(), happen('side')]

  const [text, binary] = [one.sent[2], packed.sent[2]]
  assert.ok(text && binary)
  assert.equal(other.sent[2]?.bytes, text.bytes)
  assert.equal(packedToo.sent[2]?.bytes, binary.bytes)
  assert.deepEqual([text.binary, binary.binary], [false, true])
  assert.deepEqual([JSON.parse(String(text.bytes)), unpack(binary.bytes)], [event, event])
  assert.deepEqual(unpack(packed.sent[3]?.bytes as Buffer), next)
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

  assert.deepEqual(before, ['cork', 'send', 'send'])
  assert.deepEqual(connection.log, ['cork', 'send', 'send', 'uncork', 'cork', 'send', 'uncork'])
  assert.equal(connection.corks, 0)
})

test('what is not told here is not written', async (t) => {
  const { join, happen } = listening(t, { tells: ({ resource_ref }) => resource_ref.stream_id !== 'front' })
  const socket = join()

  happen()
  happen('side')

  const refs = socket.sent.slice(2).map(({ bytes }) => JSON.parse(String(bytes)).resource_ref)
  assert.deepEqual(refs, [{ stream_id: 'side' }])
})

test('who is more than a mebibyte behind is told to come back, and gets nothing more', async (t) => {
  const { join, happen } = listening(t)
  const [slow, quick] = [join(), join()]
  slow.bufferedAmount = 1_048_577

  happen()
  slow.bufferedAmount = 0
  happen()

  assert.deepEqual([slow.closedWith, slow.sent.length], [1013, 2])
  assert.deepEqual([quick.closedWith, quick.sent.length], [undefined, 4])
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
