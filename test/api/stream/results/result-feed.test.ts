// What is found in frames, told on one socket for many streams.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import type { StreamRuntime } from '../../../../actors/stream/stream-runtime.ts'
import { MAX_RESULT_LISTENERS } from '../../../../api/stream/results/result-listeners.ts'
import { type FrameResults, frameResults } from '../../../../machines/engine/frame-results.ts'
import type { Result } from '../../../../machines/engine/result.ts'
import { MAX_VIEWERS, VIEWER_PLACES } from '../../../../machines/viewers/viewer-places.ts'
import { listeningApi } from '../../../support/api/api.ts'
import { packed } from '../../../support/engine/packed.ts'
import { arrival, until } from '../../../support/until.ts'

type Message = { readonly stream_id: string; readonly ended?: true } & Partial<FrameResults>

const MS = 1000

const foundAt = (ms: number, seq = ms): Result =>
  packed({ seq, captured_us: 1_000_000 + ms * MS, width_px: 640, height_px: 400 }, [
    { port: 'tags', kind: 'detections', rows: [{ id: 3, x0_px: 10.12345 }] },
    { port: 'focus', kind: 'focus', rows: [{ sharpness: 0.5 }] },
  ])

const listening = async (t: TestContext) => {
  const api = await listeningApi(t, {})
  const add = (id: string) => api.fake.addStream({ id, source: { backend: 'synthetic' } })
  const dial = (query = '') => {
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}/v1/results${query}`, { perMessageDeflate: false })
    socket.on('error', () => {})
    t.after(() => socket.terminate())
    return socket
  }
  const listen = async (query = '') => {
    const socket = dial(query)
    const heard: Message[] = []
    socket.on('message', (data) => heard.push(JSON.parse(String(data))))
    await arrival('an open socket', once(socket, 'open'))
    const hears = (count: number) =>
      until(
        `${count} messages`,
        () => heard,
        ({ length }) => length >= count,
      )
    return { socket, heard, hears }
  }
  return { ...api, add, dial, listen, front: await add('front'), back: await add('back') }
}

const idsIn = (heard: readonly Message[]) => heard.map(({ stream_id, ended = false }) => [stream_id, ended])

test('what is found in any stream is told, with its stream; of those that come later, too', async (t) => {
  const { front, back, add, listen } = await listening(t)
  const { heard, hears } = await listen()

  front.results.set(foundAt(0))
  back.results.set(foundAt(1))
  const later = await add('later')
  later.results.set(foundAt(2))
  await hears(3)

  assert.deepEqual(idsIn(heard), [
    ['front', false],
    ['back', false],
    ['later', false],
  ])
  const { stream_id: _, ...found } = heard[0] as Message
  assert.deepEqual(found, JSON.parse(JSON.stringify(frameResults(foundAt(0)))))
})

test('of the streams and outputs that were named, and no others', async (t) => {
  const { front, back, listen } = await listening(t)
  const { heard, hears } = await listen('?streams=back&outputs=focus,tea')

  front.results.set(foundAt(0))
  back.results.set(foundAt(1))
  await hears(1)

  assert.deepEqual(idsIn(heard), [['back', false]])
  assert.deepEqual(Object.keys(heard[0]?.outputs ?? {}), ['focus'])
})

test('no more of a stream is told than was asked for, whatever the others give', async (t) => {
  const { front, back, listen } = await listening(t)
  const { heard, socket } = await listen('?rate=10')
  /** What was said before has arrived then. */
  const roundTrip = async () => {
    socket.ping()
    await arrival('a pong', once(socket, 'pong'))
  }

  for (let ms = 0; ms < 960; ms += 20) {
    front.results.set(foundAt(ms))
    await roundTrip()
    if (ms % 500 === 0) back.results.set(foundAt(ms))
    await roundTrip()
  }

  const counts = ['front', 'back'].map((id) => heard.filter(({ stream_id }) => stream_id === id).length)
  assert.deepEqual(counts, [10, 2])
})

test('what is found goes on being told when times go back, as of a file that was played fast', async (t) => {
  const { front, listen } = await listening(t)
  const { heard, hears } = await listen()
  front.results.set(foundAt(600_000))
  await hears(1)

  front.results.set(foundAt(0))
  await hears(2)

  assert.deepEqual(
    heard.map(({ seq }) => seq),
    [600_000, 0],
  )
})

test('the end of a stream is told, and one of that name that comes later is followed again', async (t) => {
  const { fake, add, listen } = await listening(t)
  const { heard, hears } = await listen('?streams=front')

  await fake.drop('front')
  await hears(1)
  const again = await add('front')
  again.results.set(foundAt(0))
  await hears(2)

  assert.deepEqual(idsIn(heard), [
    ['front', true],
    ['front', false],
  ])
})

test('who does not listen misses messages, and hears the newest of each stream when it listens again', async (t) => {
  const { front, back, listen } = await listening(t)
  const slow = await listen('?rate=240')
  const quick = await listen('?rate=240')
  const long = (seq: number, stream: StreamRuntime) => {
    const rows = Array.from({ length: 500 }, () => ({ id: 3, x0_px: 10.12345 }))
    const header = { seq, captured_us: 1_000_000 + 10_000 * seq, width_px: 640, height_px: 400 }
    stream.results.set(packed(header, [{ port: 'tags', kind: 'detections', rows }]))
  }

  slow.socket.pause()
  const COUNT = 80
  for (let seq = 1; seq <= COUNT; seq++) {
    long(seq, front)
    long(seq, back)
    await quick.hears(2 * seq)
  }
  slow.socket.resume()
  await until('the newest of both', () => {
    const newest = ['front', 'back'].map((id) => slow.heard.findLast(({ stream_id }) => stream_id === id)?.seq)
    return newest.every((seq) => seq === COUNT)
  })

  assert.ok(slow.heard.length < COUNT, `${slow.heard.length} of ${2 * COUNT}`)
})

test('a listener takes no place of those who watch, and needs none', async (t) => {
  const { fake, listen, front } = await listening(t)
  const places = fake.resolve(VIEWER_PLACES)
  const leave = Array.from({ length: MAX_VIEWERS }, () => places.take())

  const { hears } = await listen()
  front.results.set(foundAt(0))
  await hears(1)

  leave.pop()?.()
  assert.equal(places.full(), undefined)
  for (const each of leave) each()
})

test('no more may listen than there are places for that, and who leaves leaves nothing behind', async (t) => {
  const { listen, dial, front } = await listening(t)
  const [first] = await Promise.all(Array.from({ length: MAX_RESULT_LISTENERS }, () => listen()))
  const [, refusal] = (await arrival('a refusal', once(dial(), 'unexpected-response'))) as [unknown, IncomingMessage]

  first?.socket.close()
  const isLetIn = () => {
    const socket = dial()
    const answer = Promise.race([
      once(socket, 'open').then(() => true),
      once(socket, 'unexpected-response').then(() => false),
    ])
    return arrival('an answer', answer)
  }
  await until('a free place', isLetIn)

  assert.equal(refusal.statusCode, 429)
  front.results.set(foundAt(0)) // who has left is not told, and nothing throws
})

test('a stream that is not there cannot be listened to', async (t) => {
  const { dial } = await listening(t)

  const [, response] = (await arrival('a refusal', once(dial('?streams=front,tea'), 'unexpected-response'))) as [
    unknown,
    IncomingMessage,
  ]

  assert.equal(response.statusCode, 404)
})

test('when the service stops, listeners are told to go', async (t) => {
  const { app, listen } = await listening(t)
  const { socket } = await listen()
  const closed = once(socket, 'close')

  await app.close()

  assert.equal((await arrival('the goodbye', closed))[0], 1001)
})
