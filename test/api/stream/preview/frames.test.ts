// Pictures as messages, with what was found in them where that is asked for.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type FrameResults, frameResults } from '../../../../machines/engine/frame-results.ts'
import type { Result } from '../../../../machines/engine/result.ts'
import { packed, pictureOf } from '../../../support/engine/packed.ts'
import { setState } from '../../../support/engine/stream-runtime.ts'
import { watchedStream } from '../../../support/engine/watched-stream.ts'
import { watchFrames } from '../../../support/media/frame-messages.ts'
import { until } from '../../../support/until.ts'

const tagIn = (seq: number): Result =>
  packed({ seq, captured_us: 1000 * seq, width_px: 640, height_px: 400 }, [
    { port: 'tags', kind: 'detections', rows: [{ id: seq, x0_px: 10.12345 }] },
  ])

const watched = async (t: TestContext) => {
  const api = await watchedStream(t)
  const board = api.stream.viewers.pictures
  /** result: what goes with it; undefined: it is as if nobody had asked for that. */
  const shoot = (seq: number, result?: Result | null) => {
    for (const { key } of board.wanted())
      board.deliver({ ...pictureOf(key, seq, 1000 * seq), ...(result !== undefined && { result }) })
  }
  const watch = (query = '') => watchFrames(t, `${api.url}/v1/streams/front/frames${query}`)
  const hasResults = () => board.wanted().map(({ has_results }) => has_results)
  return { ...api, board, shoot, watch, hasResults }
}

/** As it is on the wire. */
const sent = (results: FrameResults): unknown => JSON.parse(JSON.stringify(results))

test('each picture brings what was found in its frame; one that was on its way before is not shown', async (t) => {
  const { shoot, watch, hasResults, stream } = await watched(t)
  const plain = await watch()
  assert.deepEqual(hasResults(), [false])
  shoot(1)
  const asking = await watch('?results=true')
  assert.deepEqual(hasResults(), [true])
  assert.equal(stream.viewers.count, 2)

  shoot(2)
  shoot(3, tagIn(3))
  await until('the pictures', () => asking.messages.length > 0 && plain.messages.length >= 3)

  const [message] = asking.messages
  assert.equal(asking.messages.length, 1)
  assert.deepEqual(message?.results, sent(frameResults(tagIn(3))))
  assert.deepEqual([message?.isPicture, message?.jpeg.length, message?.jpeg[0]], [true, 2000, 3])
  assert.deepEqual(
    plain.messages.map(({ results, jpeg }) => [results, jpeg[0]]),
    [
      [null, 1],
      [null, 2],
      [null, 3],
    ],
  )
})

test('of a frame in which nothing was looked for there are no outputs', async (t) => {
  const { shoot, watch } = await watched(t)
  const { messages } = await watch('?results=true')

  shoot(1, null)
  await until('a picture', () => messages.length > 0)

  assert.deepEqual(
    [messages[0]?.isPicture, messages[0]?.results],
    [true, { seq: 1, captured_us: 1000, width_px: 1280, height_px: 800, too_full: false, outputs: {} }],
  )
})

test('who wants some outputs gets these alone', async (t) => {
  const { shoot, watch } = await watched(t)
  const [none, tags] = [await watch('?results=true&outputs=tea'), await watch('?results=true&outputs=tea,tags')]

  shoot(1, tagIn(1))
  await until('the pictures', () => none.messages.length > 0 && tags.messages.length > 0)

  const { outputs: _, ...frame } = frameResults(tagIn(1))
  assert.deepEqual(none.messages[0]?.results, { ...frame, outputs: {} })
  assert.deepEqual(tags.messages[0]?.results, sent(frameResults(tagIn(1))))
})

test('the words that stand for pictures have the form that was asked for', async (t) => {
  const { watch, stream } = await watched(t)
  setState(stream, 'backing-off', { code: 'camera.lost', detail: 'it went away' })

  const [plain, asking] = [await watch(), await watch('?results=true')]
  await until('the words', () => plain.messages.length > 0 && asking.messages.length > 0)

  assert.deepEqual([plain.messages[0]?.isPlaceholder, plain.messages[0]?.results], [true, null])
  assert.deepEqual([asking.messages[0]?.isPlaceholder, asking.messages[0]?.results], [true, { outputs: {} }])
  assert.deepEqual([...(asking.messages[0]?.jpeg.subarray(0, 2) ?? [])], [0xff, 0xd8])
})

test('when nobody wants results any more, none are made', async (t) => {
  const { watch, hasResults } = await watched(t)
  await watch()
  const { socket } = await watch('?results=true')

  socket.close()

  await until('no results', hasResults, ([first]) => first === false)
})
