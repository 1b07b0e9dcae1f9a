// Media over real sockets: what is sent is checked by its content and stored whole or not at all, and comes back in
// pieces of any size.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import type { Endpoint } from '../../../api/endpoints/endpoint.ts'
import type { ClientCode } from '../../../machines/errors/catalogue.ts'
import type { MediaItem } from '../../../machines/media/item.ts'
import { MAX_VIEWERS, VIEWER_PLACES } from '../../../machines/viewers/viewer-places.ts'
import { CLOCK } from '../../../native/clock/port.ts'
import { OPEN_DOCUMENTS } from '../../../native/documents/port.ts'
import { movieFragment, movieHead } from '../../../native/engine/fake/movie.ts'
import { fakeMedia } from '../../../native/media/fake.ts'
import { MEDIA_STORE } from '../../../native/media/port.ts'
import type { MediaStoreParts } from '../../../native/media/store.ts'
import { offer } from '../../../supervisors/composition/container.ts'
import { allEndpoints, assertProblem, listeningApi } from '../../support/api/api.ts'
import { answerOn } from '../../support/api/raw-http.ts'
import { jpegFile, mp4File } from '../../support/media/media-files.ts'
import { emptyPng, grayPng } from '../../support/media/png.ts'
import { arrival, until } from '../../support/until.ts'

const jpeg = jpegFile(64, 48, { scan: Buffer.from(Array.from({ length: 5000 }, (_, n) => n % 250)) })

const mediaApi = async (t: TestContext, parts: Partial<MediaStoreParts> = {}) => {
  const needs = { clock: CLOCK, documents: OPEN_DOCUMENTS }
  const port = offer(MEDIA_STORE, needs, ({ clock, documents }) =>
    fakeMedia({ clock, rows: () => documents.value?.media, ...parts }),
  )
  const api = await listeningApi(t, {}, { ports: [port] })
  await until('the media', () => api.fake.directory.actor('media')?.getSnapshot().matches('ready'))
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(api.url + path, init)
    const bytes = Buffer.from(await response.arrayBuffer())
    const { status, headers } = response
    return { status, headers, bytes, body: bytes.toString(), contentType: headers.get('content-type') ?? '' }
  }
  const send = (bytes: Uint8Array, query = '', path = '/v1/media') =>
    ask(path + query, { method: 'POST', body: Buffer.from(bytes) })
  const stored = async (bytes: Uint8Array, query = '') => {
    const answered = await send(bytes, query)
    assert.equal(answered.status, 201, answered.body)
    return JSON.parse(answered.body) as MediaItem
  }
  const list = async (query = '') =>
    JSON.parse((await ask(`/v1/media${query}`)).body) as { items: MediaItem[]; next_cursor: string | null }
  return { ...api, ask, send, stored, list }
}

test('what is uploaded is answered with its item and place, and can be fetched as it was', async (t) => {
  const { send, ask, list } = await mediaApi(t)

  const answered = await send(jpeg, '?name=Blue%20goal.png')

  const item = JSON.parse(answered.body) as MediaItem
  assert.equal(answered.status, 201)
  assert.deepEqual([item.name, item.media_type, item.width_px, item.height_px], ['blue-goal.jpg', 'image/jpeg', 64, 48])
  assert.equal(answered.headers.get('location'), '/v1/media/blue-goal.jpg')
  const fetched = await ask('/v1/media/blue-goal.jpg')
  assert.deepEqual(fetched.bytes, jpeg)
  const { headers } = fetched
  assert.deepEqual(
    ['content-type', 'content-length', 'etag', 'x-content-type-options', 'content-disposition', 'accept-ranges'].map(
      (name) => headers.get(name),
    ),
    ['image/jpeg', `${jpeg.length}`, item.etag, 'nosniff', 'inline; filename="blue-goal.jpg"', 'bytes'],
  )
  assert.deepEqual((await list()).items, [item])
})

test('a range, what the client has already, and the head alone are answered as HTTP has it', async (t) => {
  const { stored, ask } = await mediaApi(t)
  const { name, etag } = await stored(jpeg)
  const get = (headers: Record<string, string>, method = 'GET') => ask(`/v1/media/${name}`, { headers, method })
  const size = jpeg.length

  for (const [range, first, last] of [
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, size - 1],
    ['bytes=-7', size - 7, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
    [`bytes=10-${size * 2}`, 10, size - 1],
  ] as const) {
    const { status, headers, bytes } = await get({ range })
    assert.deepEqual([status, headers.get('content-range')], [206, `bytes ${first}-${last}/${size}`], range)
    assert.deepEqual(bytes, jpeg.subarray(first, last + 1))
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0']) assertProblem(await get({ range }), 'range.not_satisfiable')
  for (const range of ['bytes=0-1,4-5', 'bytes=9-3', 'lines=1-2', 'bytes=a-b', '']) {
    const { status, bytes } = await get({ range })
    assert.deepEqual([status, bytes.length], [200, size], range)
  }
  assert.equal((await get({ range: 'bytes=0-9', 'if-range': '"other"' })).status, 200)
  assert.equal((await get({ range: 'bytes=0-9', 'if-range': `${etag}` })).status, 206)
  for (const tags of [`${etag}`, `"x", W/${etag}`, '*']) {
    const { status, bytes } = await get({ 'if-none-match': tags })
    assert.deepEqual([status, bytes.length], [304, 0])
  }
  const head = await get({}, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-length'), head.bytes.length], [200, `${size}`, 0])
  const part = await get({ range: 'bytes=0-9' }, 'HEAD')
  assert.deepEqual([part.status, part.headers.get('content-length')], [206, '10'])
})

test('what cannot be played as pictures is refused by what it is', async (t) => {
  const { stored, ask } = await mediaApi(t)
  const picture = await stored(jpeg)
  const forged = Buffer.concat([movieHead(16, 16), movieFragment(1, 0, jpeg)])
  const run = forged.indexOf('trun') + 4
  forged.writeUInt32BE(0x000001, run) // its pictures have no length of their own
  forged.writeUInt32BE(0xffff_ffff, run + 4)
  const endless = await stored(forged)

  const ofPicture = await ask(`/v1/media/${picture.name}?as=multipart`)
  const ofEndless = await ask(`/v1/media/${endless.name}?as=multipart`)

  assert.match(assertProblem(ofPicture, 'media.no_pictures').detail, /is one picture; only recordings are played/)
  assert.match(assertProblem(ofEndless, 'media.no_pictures').detail, /more than 10000 pictures/)
})

test('the list says how much of the disk is free', async (t) => {
  const { ask } = await mediaApi(t)

  const { disk } = JSON.parse((await ask('/v1/media')).body) as { disk: { total_bytes: number; free_bytes: number } }

  assert.ok(disk.free_bytes > 0 && disk.free_bytes <= disk.total_bytes, JSON.stringify(disk))
})

test('one picture of a recording comes as a file, that of the time that was asked for', async (t) => {
  const { stored, ask } = await mediaApi(t)
  const other = jpegFile(16, 16)
  const film = [movieHead(16, 16), movieFragment(1, 0, jpeg), movieFragment(2, 500_000, other)]
  const recording = await stored(Buffer.concat(film))
  const picture = await stored(jpeg)
  const at = (ms: number) => ask(`/v1/media/${recording.name}?as=picture&from_ms=${ms}`)

  const [first, second, late] = [await at(0), await at(1), await at(501)]
  const whole = await ask(`/v1/media/${picture.name}?as=picture`)
  const known = await ask(`/v1/media/${recording.name}?as=picture`, {
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  })

  assert.deepEqual([first.status, first.contentType, first.bytes.equals(jpeg)], [200, 'image/jpeg', true])
  assert.deepEqual([second.bytes.equals(other), whole.bytes.equals(jpeg), known.status], [true, true, 304])
  assert.notEqual(first.headers.get('etag'), second.headers.get('etag'))
  assert.match(assertProblem(late, 'media.no_pictures').detail, /ends before 501 ms/)
})

test('a picture of a recording that is too long to be held as a whole is refused', async (t) => {
  const { stored, ask } = await mediaApi(t)
  const long = Buffer.alloc(33 * 1024 * 1024, 0x5a)
  const recording = await stored(Buffer.concat([movieHead(16, 16), movieFragment(1, 0, long)]))

  const answer = await ask(`/v1/media/${recording.name}?as=picture`)

  assert.match(assertProblem(answer, 'media.no_pictures').detail, /has 34603008 bytes/)
})

test('who watches a recording has one of the places of all viewers, and leaves it', async (t) => {
  const { stored, ask, fake } = await mediaApi(t)
  const { name } = await stored(Buffer.concat([movieHead(16, 16), movieFragment(1, 0, jpeg)]))
  const play = (query = '') => ask(`/v1/media/${name}?as=multipart${query}`)
  const places = fake.resolve(VIEWER_PLACES)
  for (let n = 1; n < MAX_VIEWERS; n += 1) places.take()

  for (const query of ['', '', '&from_ms=1000']) assert.equal((await play(query)).status, 200)
  assert.equal((await ask(`/v1/media/${name}?as=multipart`, { method: 'HEAD' })).status, 200)
  assertProblem(await ask('/v1/media/none.mp4?as=multipart'), 'media.not_found')
  await until('the last place', () => places.full() === undefined)
  places.take()

  assertProblem(await play(), 'viewer.too_many')
})

test('what must not be stored is refused with a sentence, and nothing of it is left', async (t) => {
  const { send, list } = await mediaApi(t)
  const cases: readonly (readonly [Uint8Array, string, ClientCode, RegExp])[] = [
    [Buffer.alloc(20_000_000, 'a text that is called a picture '), '?name=x.jpg', 'media.invalid', /no JPEG, PNG, MP4/],
    [jpeg.subarray(0, 3000), '', 'media.invalid', /ends after 3000 bytes/],
    [grayPng(300, 300, (x, y) => (x * y) % 256).subarray(0, 400), '', 'media.invalid', /ends after 400 bytes/],
    [mp4File().subarray(0, 300), '', 'media.invalid', /ends after 300 bytes/],
    [emptyPng(100_000, 100_000), '', 'media.invalid', /100000x100000 pixels/],
    [Buffer.alloc(0), '', 'media.invalid', /no JPEG/],
    [jpeg, '?name=../../etc/passwd', 'query.invalid', /name/],
    [jpeg, '?name=a%00b', 'query.invalid', /name/],
    [jpeg, `?name=${'x'.repeat(201)}`, 'query.invalid', /name/],
  ]

  for (const [bytes, query, code, detail] of cases) {
    const problem = assertProblem(await send(bytes, query), code)
    assert.match(problem.detail, detail)
  }
  assert.deepEqual((await list()).items, [])
})

test('two uploads of one name at once are both stored, under two names', async (t) => {
  const { stored } = await mediaApi(t)

  const items = await Promise.all(Array.from({ length: 6 }, () => stored(jpeg, '?name=front')))

  assert.deepEqual(items.map(({ name }) => name).sort(), [
    'front-2.jpg',
    'front-3.jpg',
    'front-4.jpg',
    'front-5.jpg',
    'front-6.jpg',
    'front.jpg',
  ])
})

test('who drips is told so, while others upload', async (t) => {
  const patience = { windowMs: 2_000, minBytes: 1000, totalMs: 60_000, maxBytes: 1e6 }
  const { port, stored, list } = await mediaApi(t, { patience })
  const socket = connect(port, '127.0.0.1')
  await arrival('a connection', once(socket, 'connect'))
  socket.write(`POST /v1/media HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${jpeg.length}\r\n\r\n`)
  socket.write(jpeg.subarray(0, 20))

  const { name } = await stored(jpeg)
  assertProblem(await answerOn(socket), 'request.timeout')
  assert.deepEqual(
    (await list()).items.map((item) => item.name),
    [name],
  )
})

test('who leaves in the middle leaves nothing', async (t) => {
  const { port, fake, list } = await mediaApi(t)
  const told: unknown[] = []
  t.after(fake.directory.events.subscribe(({ kind, data }) => kind === 'media_changed' && told.push(data)))
  const socket = connect(port, '127.0.0.1')
  await arrival('a connection', once(socket, 'connect'))
  const large = jpegFile(64, 48, { scan: Buffer.alloc(300_000, 1) })
  socket.write(`POST /v1/media HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${large.length}\r\n\r\n`)
  socket.write(large.subarray(0, 200_000))

  await until('its beginning', () => told.length === 1)
  socket.destroy()

  await until('its end', () => told.length === 2)
  const gone = { kind: null, state: null, stream_id: null, size_bytes: null, deleted: true }
  assert.deepEqual(told.at(-1), gone)
  assert.deepEqual((await list()).items, [])
})

test('too much is refused as soon as that is known, told or not', async (t) => {
  const patience = { windowMs: 60_000, minBytes: 1, totalMs: 60_000, maxBytes: 4000 }
  const { send, ask, list } = await mediaApi(t, { patience })
  const pieces = function* () {
    for (let at = 0; at < jpeg.length; at += 1000) yield jpeg.subarray(at, at + 1000)
  }
  const chunked = { method: 'POST', body: Readable.toWeb(Readable.from(pieces())) as never, duplex: 'half' as const }

  assertProblem(await send(jpeg), 'body.too_large')
  assertProblem(await ask('/v1/media', chunked), 'body.too_large')
  assert.deepEqual((await list()).items, [])
})

test('the list comes in pages, in the order and of the kind that is asked for, while it changes', async (t) => {
  const { stored, list, ask } = await mediaApi(t)
  for (const n of [3, 1, 2, 5, 4]) await stored(jpegFile(8, 8, { scan: Buffer.alloc(n * 100, 1) }), `?name=p${n}`)
  await stored(mp4File(), '?name=clip')
  const paged = async (query: string) => {
    const names: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(`?limit=2&${query}${cursor && `&cursor=${cursor}`}`)
      names.push(...page.items.map(({ name }) => name.replace(/\..*/, '')))
      cursor = page.next_cursor && encodeURIComponent(page.next_cursor)
    }
    return names.join(' ')
  }

  assert.equal(await paged(''), 'clip p4 p5 p2 p1 p3')
  assert.equal(await paged('sort=created'), 'p3 p1 p2 p5 p4 clip')
  assert.equal(await paged('sort=name&kind=picture'), 'p1 p2 p3 p4 p5')
  assert.equal(await paged('sort=-size&kind=picture'), 'p5 p4 p3 p2 p1')
  assert.equal(await paged('kind=recording'), 'clip')
  assert.equal(await paged('stream_id=front'), '')
  const first = await list('?limit=2&sort=name')
  await ask('/v1/media/p1.jpg', { method: 'DELETE' })
  const rest = await list(`?limit=9&sort=name&cursor=${encodeURIComponent(first.next_cursor ?? '')}`)
  assert.deepEqual(
    rest.items.map(({ name }) => name),
    ['p2.jpg', 'p3.jpg', 'p4.jpg', 'p5.jpg'],
  )
  for (const cursor of ['x', encodeURIComponent(first.next_cursor ?? ''), 'name.1', '-created.zz.9x'])
    assertProblem(await ask(`/v1/media?sort=size&cursor=${cursor}`), 'cursor.unknown')
})

/** What the documents say that may be sent as a label, by media type. */
const labelOf = (rows: readonly Endpoint[]) =>
  rows.find(({ method, path }) => method === 'POST' && path === '/v1/media/:name/label')?.upload?.described ?? {}

test('a label and measurements are checked, kept beside the item, and go with it', async (t) => {
  const { stored, send, ask } = await mediaApi(t)
  const { name } = await stored(jpeg)
  const at = (part: string) => `/v1/media/${name}/${part}`
  const yolo = '0 0.5 0.5 0.1 0.2\r\n3 0.1 0.1 0.2 0.2 0.3 0.1\n'
  const imu = Array.from({ length: 20_000 }, (_, n) => `{"pts_us":${n * 1000},"gyro_rad_s":[0,0,${n}]}\n`).join('')

  for (const [part, bad] of [
    ['label', 'a cat'],
    ['label', '0 0.5 0.5 0.1 7'],
    ['label', '{"open": '],
    ['label', '\xff\xfe'],
    ['imu', ''],
    ['imu', '{"pts_us":1}'],
    ['imu', '{"pts_us":5,"accel_m_s2":[0,0,1]}\n{"pts_us":4,"accel_m_s2":[0,0,1]}'],
    ['imu', `${'x'.repeat(100_000)}`],
    ['imu', 'null'],
  ] as const)
    assertProblem(await send(Buffer.from(bad, 'latin1'), '', at(part)), 'media.invalid')
  assertProblem(await ask(at('label')), 'media.no_side_car')
  assertProblem(await send(Buffer.alloc(1_100_000, '\n'), '', at('label')), 'body.too_large')

  assert.equal((await send(Buffer.from(yolo), '', at('label'))).status, 200)
  assert.equal((await send(Buffer.from(imu), '', at('imu'))).status, 200)
  const label = await ask(at('label'))
  assert.deepEqual([label.body, label.contentType], [yolo, 'text/plain; charset=utf-8'])
  assert.equal((await ask(at('imu'))).body, imu)
  assert.equal((await ask(at('imu'), { headers: { range: 'bytes=0-9' } })).body, imu.slice(0, 10))
  assert.equal((await send(Buffer.from('[{"bbox":[1,2,3,4]}]'), '', at('label'))).status, 200)
  assert.equal((await ask(at('label'))).contentType, 'application/json')
  for (const [type, { example }] of Object.entries(labelOf(allEndpoints()))) {
    const body = typeof example === 'string' ? example : JSON.stringify(example)
    const posted = await ask(at('label'), { method: 'POST', body, headers: { 'content-type': type } })
    assert.equal(posted.status, 200, `${type}: ${posted.body}`)
    assert.equal((await ask(at('label'))).body, body)
  }
  const detached = await ask(at('imu'), { method: 'DELETE' })
  assert.deepEqual([detached.status, JSON.parse(detached.body).side_cars.imu], [200, null])
  assertProblem(await ask(at('imu'), { method: 'DELETE' }), 'media.no_side_car')
  assert.equal((await ask(`/v1/media/${name}`, { method: 'DELETE' })).status, 204)
  assertProblem(await ask(at('label')), 'media.not_found')
})

test('metadata are merged, bounded, and kept from those who saw another state', async (t) => {
  const { stored, ask } = await mediaApi(t)
  const { name } = await stored(jpeg)
  const patch = (body: object, headers = {}) =>
    ask(`/v1/media/${name}/metadata`, {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })

  await patch({ metadata: { note: 'a', deep: { x: 1, y: 2 } } })
  const after = JSON.parse(
    (await patch({ metadata: { note: null, deep: { x: null } }, automatic: true })).body,
  ) as MediaItem

  assert.deepEqual([after.metadata, after.automatic, after.revision], [{ deep: { y: 2 } }, true, 4])
  assertProblem(await patch({ metadata: { long: 'x'.repeat(2100) } }), 'body.invalid')
  assertProblem(await patch({ metadata: {} }, { 'if-match': '"2"' }), 'revision.stale')
})
