// Pictures for other devices, over real sockets: whole, the newest, and no more than one behind.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import WebSocket from 'ws'
import { pictures, viewer } from '../../support/api/preview.ts'
import { pictureOf } from '../../support/engine/packed.ts'
import { setState } from '../../support/engine/stream-runtime.ts'
import { watchedStream } from '../../support/engine/watched-stream.ts'
import { packetsIn } from '../../support/media/video-packets.ts'
import { arrival, until } from '../../support/until.ts'

const STREAMS = '/v1/interdevice/streams'

const watched = async (t: TestContext) => {
  const api = await watchedStream(t)
  let seq = 0
  const shoot = (bytes = 2000): number => {
    seq += 1
    api.fake.clock.advanceMs(33)
    const nowUs = api.fake.directory.clock.monotonicUs()
    for (const { key } of api.stream.viewers.pictures.wanted())
      api.stream.viewers.pictures.deliver(pictureOf(key, seq, nowUs, bytes))
    return seq
  }
  const dial = (query = '', id = 'front') => {
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}${STREAMS}/${id}/frames${query}`)
    t.after(() => socket.terminate())
    socket.on('error', () => {})
    return socket
  }
  const watcher = async (query = '') => {
    const socket = dial(query)
    const messages: Buffer[] = []
    socket.on('message', (data: Buffer, isBinary) => {
      assert.ok(isBinary)
      messages.push(data)
    })
    await arrival('an open socket', once(socket, 'open'))
    const packets = () => messages.map((each) => packetsIn(each))
    // Where it takes long until the first one comes, there are words before it.
    const shown = () => packets().flatMap((each) => each.filter(({ isPlaceholder }) => !isPlaceholder))
    const seen = (count: number) =>
      until(
        `${count} pictures`,
        () => shown().length,
        (length) => length >= count,
      )
    return { socket, seen, packets, shown }
  }
  return { ...api, shoot, dial, watcher }
}

/** The bytes of a picture say which it is. */
const numberOf = (payload: Buffer | undefined) => payload?.[0]

test('each message is one picture, with its time', async (t) => {
  const { shoot, watcher, stream } = await watched(t)
  const { packets, shown, seen } = await watcher()
  assert.equal(stream.viewers.pictures.viewers, 1)

  for (let n = 1; n <= 5; n++) {
    shoot()
    await seen(n)
  }

  assert.ok(packets().every((each) => each.length === 1))
  const five = shown()
  assert.deepEqual(
    five.map(({ payload, isKey }) => [numberOf(payload), payload.length, isKey]),
    [1, 2, 3, 4, 5].map((n) => [n, 2000, true]),
  )
  const times = five.map(({ timeUs }) => Number(timeUs))
  assert.deepEqual(
    times.slice(1).map((time, n) => Math.round((time - (times[n] as number)) / 1000)),
    [33, 33, 33, 33],
  )
})

test('who does not read misses pictures, and sees the newest when he reads again', async (t) => {
  const { shoot, watcher } = await watched(t)
  const slow = await watcher()
  const quick = await watcher()
  slow.socket.pause()

  const COUNT = 60
  for (let n = 1; n <= COUNT; n++) {
    shoot(1_000_000)
    await quick.seen(n)
  }
  slow.socket.resume()
  const newest = await until(
    'the newest picture',
    () => numberOf(slow.shown().at(-1)?.payload),
    (number) => number === COUNT,
  )

  assert.equal(newest, COUNT)
  assert.ok(slow.shown().length < COUNT / 2, `${slow.shown().length} pictures`)
  assert.ok(slow.shown().every(({ payload }) => payload.length === 1_000_000))
})

test('a watcher leaves nothing behind, and one whose stream is deleted is told so', async (t) => {
  const { watcher, stream, fake } = await watched(t)
  const one = await watcher()
  one.socket.close()
  await until(
    'nobody',
    () => stream.viewers.pictures.viewers,
    (viewers) => viewers === 0,
  )

  const other = await watcher()
  const closed = once(other.socket, 'close')
  await fake.drop('front')

  assert.equal((await arrival('the end', closed))[0], 1001)
  await until(
    'nobody again',
    () => stream.viewers.pictures.viewers,
    (viewers) => viewers === 0,
  )
})

test('while no picture comes the words come that say why', async (t) => {
  const { watcher, stream, fake } = await watched(t)
  setState(stream, 'backing-off', { code: 'camera.lost', detail: 'it went away' })
  const { packets } = await watcher()

  await until('the words', () => packets().length > 0)

  const [[packet] = []] = packets()
  assert.deepEqual([packet?.isPlaceholder, packet?.isKey], [true, false])
  assert.deepEqual([...(packet?.payload.subarray(0, 2) ?? [])], [0xff, 0xd8])
  assert.equal(Number(packet?.timeUs), fake.directory.clock.nowMs() * 1000)
})

test('of another rate and output no more is shown than was asked for', async (t) => {
  const { watcher, shoot } = await watched(t)
  const slow = await watcher('?fps=10')
  const quick = await watcher()

  for (let n = 1; n <= 30; n++) {
    shoot()
    await quick.seen(n)
  }

  await slow.seen(8)
  assert.ok(slow.shown().length <= 12, `${slow.shown().length} of 30`)
})

test('the preview and a frame are those of the stream, and of an internal one there is nothing', async (t) => {
  const { url, shoot, fake, dial } = await watched(t)
  const { shown, response } = await viewer(t, `${url}${STREAMS}/front/preview`)
  shoot()
  await until('a picture', () => pictures(shown).length)
  const frame = await fetch(`${url}${STREAMS}/front/frame`)
  const bytes = new Uint8Array(await frame.arrayBuffer())

  await fake.put({ id: 'front', internal: true, source: { backend: 'synthetic' } })
  const gone = await Promise.all(['preview', 'frame'].map((what) => fetch(`${url}${STREAMS}/front/${what}`)))
  const refusals = [dial(), dial('', 'nobody'), dial('?output=tea')].map(
    async (socket) => (await arrival('a refusal', once(socket, 'unexpected-response')))[1].statusCode,
  )

  assert.equal(response.headers['content-type'], 'multipart/x-mixed-replace; boundary=vedette-picture')
  assert.deepEqual([bytes.length, bytes[0], frame.headers.get('x-sequence')], [2000, 1, '1'])
  assert.deepEqual(
    gone.map(({ status }) => status),
    [404, 404],
  )
  assert.deepEqual(await Promise.all(refusals), [404, 404, 404])
})
