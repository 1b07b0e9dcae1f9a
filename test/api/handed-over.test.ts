// What the service does about viewers who are with an engine: over real sockets, with an engine that does what the test
// says.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../machines/errors/fault.ts'
import type { HeldViewer, ViewerEnd, ViewerHandover, ViewerLook } from '../../native/viewers/port.ts'
import { pictures, type Viewer, viewer } from '../support/api/preview.ts'
import { pictureOf } from '../support/engine/packed.ts'
import { setState } from '../support/engine/stream-runtime.ts'
import { watchedStream } from '../support/engine/watched-stream.ts'
import { until } from '../support/until.ts'

const BOUNDARY = '\r\n--vedette-picture\r\n'
const JPEG = Buffer.alloc(5000, 7)
const partOf = (seq: number): Buffer => Buffer.concat([Buffer.from(headOf(seq)), JPEG, Buffer.from(BOUNDARY)])
const headOf = (seq: number): string =>
  `Content-Type: image/jpeg\r\nContent-Length: ${JPEG.length}\r\nX-Timestamp: 1.000000\r\nX-Sequence: ${seq}\r\n\r\n`

/** A viewer in an engine's hands, as the engine sees him. */
interface InHand {
  readonly socket: Socket
  looks: readonly ViewerLook[]
  released: number
  end: (end: ViewerEnd) => void
}

/** An engine that takes whom it is given. positionBytes: what it says of everybody. refuse: why it takes nobody. */
const engine = ({ positionBytes = 0, refuse }: { positionBytes?: number; refuse?: Fault } = {}) => {
  const inHand: InHand[] = []
  const instead: (Uint8Array | null)[] = []
  const handover: ViewerHandover = {
    hold: async (socket) => {
      const each: InHand = { socket: socket as Socket, looks: [], released: 0, end: () => {} }
      inHand.push(each)
      if (refuse) return refuse
      const held: HeldViewer = {
        positionBytes,
        sent: () => undefined,
        start: (look, ended) => {
          each.looks = [...each.looks, look]
          each.end = ended
        },
        release: () => {
          each.released += 1
        },
      }
      return held
    },
    showInstead: (jpeg) => instead.push(jpeg),
  }
  return { handover, inHand, instead }
}

const watched = async (t: TestContext) => {
  const api = await watchedStream(t)
  const started = (each: ReturnType<typeof engine>, count = 1) =>
    until(
      'a viewer with the engine',
      () => each.inHand,
      (inHand) => inHand.length === count && inHand.every(({ looks }) => looks.length === 1),
    )
  /** Another engine takes the only viewer over, and shows him his second picture. */
  const goesOn = async (next: ReturnType<typeof engine>, shown: Viewer['shown']) => {
    api.stream.engine.handover.set(next.handover)
    const [again] = await started(next)
    again?.socket.write(partOf(2))
    await until('the next', () => pictures(shown).length === 2)
  }
  return { ...api, started, goesOn }
}

test('an engine knows what its viewer wants, and the service does not write its pictures as well', async (t) => {
  const api = await watched(t)
  const first = engine()
  api.stream.engine.handover.set(first.handover)

  const { shown } = await viewer(t, `${api.preview}?fps=5&max_width=320`)
  const [inHand] = await api.started(first)
  for (const { key } of api.stream.viewers.pictures.wanted())
    api.stream.viewers.pictures.deliver(pictureOf(key, 1, api.fake.directory.clock.monotonicUs()))
  inHand?.socket.write(partOf(2))

  await until('the picture', () => pictures(shown).length)
  assert.deepEqual(
    pictures(shown).map(({ seq }) => seq),
    [2],
  )
  assert.deepEqual(inHand?.looks, [
    { key: '320/0/plain', output: '', fps: 5, boundary: BOUNDARY, stall_limit_ms: 30_000 },
  ])
  assert.deepEqual(
    api.stream.viewers.pictures.wanted().map(({ is_delivered }) => is_delivered),
    [false],
  )
})

test('a part that an engine left half done is ended, and the next engine goes on behind it', async (t) => {
  const api = await watched(t)
  const [first, next] = [engine(), engine()]
  api.stream.engine.handover.set(first.handover)
  const { shown } = await viewer(t, api.preview)
  const [inHand] = await api.started(first)

  inHand?.socket.write(partOf(1).subarray(0, 1000))
  const owed = { head: Buffer.from(headOf(1)), jpegBytes: JPEG.length, positionBytes: 0, sentBytes: 1000 }
  inHand?.end({ why: 'engine', owed })
  api.stream.engine.handover.set(null)
  await until('the end of the part', () => pictures(shown).length)
  await api.goesOn(next, shown)

  assert.deepEqual(
    pictures(shown).map(({ seq }) => seq),
    [1, 2],
  )
  assert.equal(pictures(shown)[0]?.jpeg.length, JPEG.length)
})

test('a viewer cut off at an unknown position gets nothing until the next engine has asked the kernel', async (t) => {
  const api = await watched(t)
  const [first, next] = [engine(), engine({ positionBytes: 70_000 + 1200 })]
  api.stream.engine.handover.set(first.handover)
  const { shown } = await viewer(t, api.preview)
  const [inHand] = await api.started(first)

  inHand?.socket.write(partOf(1).subarray(0, 1200))
  const owed = { head: Buffer.from(headOf(1)), jpegBytes: JPEG.length, positionBytes: 70_000, sentBytes: undefined }
  inHand?.end({ why: 'engine', owed })
  api.stream.engine.handover.set(null)
  for (const { key } of api.stream.viewers.pictures.wanted())
    api.stream.viewers.pictures.deliver(pictureOf(key, 5, api.fake.directory.clock.monotonicUs()))
  await api.goesOn(next, shown)

  assert.deepEqual(
    pictures(shown).map(({ seq }) => seq),
    [1, 2],
  )
})

test('a viewer whom an engine does not take is shown pictures from here, and handed to the next engine', async (t) => {
  const api = await watched(t)
  const [first, next] = [engine({ refuse: { code: 'engine.failed', detail: 'It is busy.' } }), engine()]
  api.stream.engine.handover.set(first.handover)
  const { shown } = await viewer(t, api.preview)
  await until('an answer', () => api.stream.viewers.pictures.wanted()[0]?.is_delivered)

  for (const { key } of api.stream.viewers.pictures.wanted())
    api.stream.viewers.pictures.deliver(pictureOf(key, 1, api.fake.directory.clock.monotonicUs()))
  await until('a picture from here', () => pictures(shown).length)
  api.stream.engine.handover.set(null)

  await api.goesOn(next, shown)

  assert.equal(pictures(shown)[1]?.seq, 2)
})

test('a viewer who stalls is let go, and one who leaves is given back', async (t) => {
  const api = await watched(t)
  const first = engine()
  api.stream.engine.handover.set(first.handover)
  const [stalled, leaving] = [await viewer(t, api.preview), await viewer(t, api.preview)]
  const inHand = await api.started(first, 2)

  inHand[0]?.end({ why: 'stalled' })
  leaving.response.destroy()

  await until('both ends', () => api.stream.viewers.pictures.viewers === 0 && !stalled.isOpen())
  assert.deepEqual(
    inHand.map(({ released }) => released),
    [0, 1],
  )
})

test('an engine is told what to show while no pictures come, and when they come again', async (t) => {
  const api = await watched(t)
  const first = engine()
  api.stream.engine.handover.set(first.handover)
  await viewer(t, api.preview)
  await api.started(first)

  setState(api.stream, 'stalled')
  await until('words', () => first.instead.length)
  await viewer(t, api.preview)
  await until('words for the newcomer', () => first.instead.length >= 2)
  setState(api.stream, 'live')

  await until('none', () => first.instead.at(-1) === null)
  assert.ok(first.instead.slice(0, -1).every((jpeg) => jpeg?.[0] === 0xff))
})
