// Live previews over real sockets: what good, slow and silent viewers get, and when it ends.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { MAX_VIEWERS } from '../../machines/viewers/viewer-places.ts'
import type { FakeApi } from '../support/api/api.ts'
import { isJpeg, pictures, viewer } from '../support/api/preview.ts'
import { pictureOf } from '../support/engine/packed.ts'
import { setState } from '../support/engine/stream-runtime.ts'
import { watchedStream } from '../support/engine/watched-stream.ts'
import { arrival, until } from '../support/until.ts'

const PICTURE_BYTES = 200_000

let seq = 0

/** Shows everybody the next picture. 33 ms pass. */
const shoot = ({ fake }: FakeApi, stream: StreamRuntime, bytes = 2000): number => {
  seq += 1
  fake.clock.advanceMs(33)
  const nowUs = fake.directory.clock.monotonicUs()
  for (const { key } of stream.viewers.pictures.wanted())
    stream.viewers.pictures.deliver(pictureOf(key, seq, nowUs, bytes))
  return seq
}

/** A viewer that reads the head and then nothing more. */
const stalledViewer = async (t: TestContext, port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  t.after(() => socket.destroy())
  socket.write('GET /v1/streams/front/preview HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await arrival('the head of the answer', once(socket, 'data'))
  socket.pause()
  return socket
}

test('a viewer sees every picture, each a part with its length, time and number', async (t) => {
  const api = await watchedStream(t)
  const { response, shown } = await viewer(t, api.preview)
  const numbers: number[] = []

  for (let n = 0; n < 10; n++) {
    numbers.push(shoot(api, api.stream))
    await until(
      'the picture',
      () => pictures(shown).length,
      (length) => length === n + 1,
    )
  }

  assert.equal(response.headers['content-type'], 'multipart/x-mixed-replace; boundary=vedette-picture')
  assert.deepEqual(
    pictures(shown).map((picture) => picture.seq),
    numbers,
  )
  assert.ok(pictures(shown).every(({ jpeg, seq }) => jpeg.length === 2000 && jpeg[0] === seq % 256))
})

test('a newcomer sees at once what the others see already', async (t) => {
  const api = await watchedStream(t)
  await viewer(t, api.preview)
  const newest = shoot(api, api.stream)

  const { shown } = await viewer(t, api.preview)

  await until(
    'the picture',
    () => pictures(shown).at(-1)?.seq,
    (number) => number === newest,
  )
})

test('a stalled viewer costs the others no picture and no memory, and gets the newest when it wakes', async (t) => {
  const api = await watchedStream(t)
  const stalled = await stalledViewer(t, api.port)
  const { shown } = await viewer(t, api.preview)
  const PICTURES = 100

  for (let n = 0; n < PICTURES; n++) {
    shoot(api, api.stream, PICTURE_BYTES)
    await until(
      'the picture',
      () => pictures(shown).length,
      (length) => length === n + 1,
    )
  }
  const newest = seq
  let woken = ''
  stalled.on('data', (chunk: Buffer) => {
    woken += chunk.toString('latin1')
  })
  stalled.resume()
  await until(
    'the newest picture',
    () => woken,
    (text) => text.includes(`X-Sequence: ${newest}\r\n`),
  )

  const taken = woken.match(/X-Sequence: /g)?.length ?? 0
  assert.ok(taken < PICTURES / 2, `the stalled viewer was kept ${taken} of ${PICTURES} pictures`)
})

test('a viewer that takes nothing for half a minute is let go', async (t) => {
  const api = await watchedStream(t)
  await stalledViewer(t, api.port)

  for (let n = 0; n < 60 && api.stream.viewers.pictures.viewers > 0; n++) {
    shoot(api, api.stream, PICTURE_BYTES * 10)
    api.fake.clock.advanceMs(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }

  await until(
    'the end of the viewer',
    () => api.stream.viewers.pictures.viewers,
    (viewers) => viewers === 0,
  )
})

test('a viewer that asked for fewer pictures gets about as many', async (t) => {
  const api = await watchedStream(t)
  const [all, some] = [await viewer(t, api.preview), await viewer(t, `${api.preview}?fps=10`)]

  for (let n = 0; n < 30; n++) {
    shoot(api, api.stream)
    await until(
      'the picture',
      () => pictures(all.shown).length,
      (length) => length === n + 1,
    )
  }

  await until(
    'the picture',
    () => pictures(some.shown).length,
    (length) => length >= 10,
  )
  assert.ok(pictures(some.shown).length <= 11, `${pictures(some.shown).length} in a second`)
})

test('viewers of one kind share one encoding; each other kind is wished for too', async (t) => {
  const api = await watchedStream(t)

  await viewer(t, `${api.preview}?max_width=320&quality=50&overlay=true&fps=5`)
  await viewer(t, `${api.preview}?max_width=320&quality=50&overlay=true&fps=15`)
  await viewer(t, api.preview)

  assert.deepEqual(api.stream.viewers.pictures.wanted(), [
    {
      key: '320/50/overlay',
      output: '',
      max_width_px: 320,
      quality: 50,
      overlay: true,
      fps: 15,
      is_delivered: true,
      has_results: false,
    },
    {
      key: '0/0/plain',
      output: '',
      max_width_px: 0,
      quality: 0,
      overlay: false,
      fps: 0,
      is_delivered: true,
      has_results: false,
    },
  ])
})

test('a preview outlives the engine, and ends when the stream is deleted', async (t) => {
  const api = await watchedStream(t)
  const { shown, isOpen } = await viewer(t, api.preview)
  shoot(api, api.stream)
  setState(api.stream, 'restarting')
  const after = shoot(api, api.stream)

  await until('the picture', () => shown.some(({ seq }) => seq === after))
  assert.ok(isOpen())
  await fetch(`${api.url}/v1/streams/front`, { method: 'DELETE' })

  await until('the end', isOpen, (open) => !open)
  assert.equal(api.stream.viewers.pictures.viewers, 0)
})

test('while no pictures come viewers are told so in a picture, again and again, and newcomers at once', async (t) => {
  const api = await watchedStream(t)
  const { shown } = await viewer(t, api.preview)
  const before = shoot(api, api.stream)
  const told = (seen: typeof shown) => seen.filter(({ isPlaceholder }) => isPlaceholder).length

  setState(api.stream, 'backing-off', { code: 'camera.lost', detail: 'It was unplugged.' })
  await until(
    'it three times',
    () => told(shown),
    (times) => times >= 3,
  )
  const late = await viewer(t, api.preview)
  await until('it at once', () => told(late.shown))
  setState(api.stream, 'live')
  const after = shoot(api, api.stream)
  await until('the picture', () => [shown, late.shown].every((seen) => seen.some(({ seq }) => seq === after)))

  assert.equal(shown[0]?.seq, before)
  assert.ok(shown.filter(({ isPlaceholder }) => isPlaceholder).every(({ jpeg }) => isJpeg(jpeg)))
  assert.ok(late.shown[0]?.isPlaceholder)
})

test('a viewer that leaves is forgotten', async (t) => {
  const api = await watchedStream(t)
  const { response } = await viewer(t, api.preview)
  assert.equal(api.stream.viewers.pictures.viewers, 1)

  response.destroy()

  await until(
    'the end of the viewer',
    () => api.stream.viewers.pictures.viewers,
    (viewers) => viewers === 0,
  )
})

test('what a viewer sends after its request is not answered into its pictures', async (t) => {
  const api = await watchedStream(t)
  const socket = connect(api.port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.write('GET /v1/streams/front/preview HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await until(
    'the head',
    () => text,
    (seen) => seen.includes('--vedette-picture'),
  )

  socket.write('RUBBISH\r\n\r\n')

  await until(
    'the end of the viewer',
    () => api.stream.viewers.pictures.viewers,
    (viewers) => viewers === 0,
  )
  assert.ok(!text.includes('problem+json'))
})

test('viewers beyond the limit are refused', async (t) => {
  const api = await watchedStream(t)
  for (let n = 0; n < MAX_VIEWERS; n++) await viewer(t, api.preview)

  const response = await fetch(api.preview)

  assert.equal(((await response.json()) as { code: string }).code, 'viewer.too_many')
})

test('the server closes at once although viewers and listeners are there, even stalled ones', async (t) => {
  const api = await watchedStream(t)
  const { isOpen } = await viewer(t, api.preview)
  await stalledViewer(t, api.port)
  for (let n = 0; n < 40; n++) shoot(api, api.stream, PICTURE_BYTES)
  const socket = new WebSocket(api.url.replace('http', 'ws').concat('/v1/events'))
  await arrival('an open feed', once(socket, 'open'))
  const closed = once(socket, 'close') as Promise<[CloseEvent]>

  await arrival('the end of the server', api.app.close())

  assert.equal((await arrival('the end of the feed', closed))[0].code, 1001)
  await until('the end', isOpen, (open) => !open)
})
