// The crop of a stream over HTTP: what is stored, what is in force, and what is refused.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { FakeClock } from '../../../../native/clock/fake.ts'
import { fakeEngines } from '../../../../native/engine/fake/fake.ts'
import { fakeApi } from '../../../support/api/api.ts'

const source = { backend: 'synthetic', width_px: 640, height_px: 480 } as const
const part = { x_px: 160, y_px: 120, width_px: 320, height_px: 240 }
const applied = { ...part, by: 'engine', sensor: null, picture: { width_px: 640, height_px: 480 } }
const whole = { x: 0, y: 0, width: 1, height: 1 }

const cropApi = async (t: TestContext, refuse: () => Fault | undefined = () => undefined) => {
  const clock = new FakeClock()
  const engines = fakeEngines({ nowUs: clock.monotonicUs, openFault: refuse })
  const api = await fakeApi(t, {}, { engines, clock })
  const ask = async (method: 'GET' | 'POST', path: string, payload?: object, headers = {}) => {
    const answer = await api.app.inject({
      method,
      url: `/v1/streams${path}`,
      headers: { host: 'localhost', ...headers },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, etag: answer.headers.etag, headers: answer.headers, body: answer.json() }
  }
  const stream = async (id = 'front') => (await ask('GET', `/${id}`)).body
  return { ...api, ask, stream, crop: (body: object, headers = {}) => ask('POST', '/front/crop', body, headers) }
}

test('a crop is stored, in force when it is answered, and shown', async (t) => {
  const { crop, fake, stream } = await cropApi(t)
  await fake.addStream({ id: 'front', source })

  const { status, etag, body } = await crop(part)

  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body, { revision: 2, crop: part, applied })
  assert.equal(etag, '"2"')
  const shown = await stream()
  assert.deepEqual([shown.spec.crop, shown.status.crop], [part, applied])
  assert.deepEqual([shown.status.width_px, shown.status.height_px], [320, 240])
  assert.deepEqual(fake.engine('front').task?.crop, part)
})

test('shares are of the whole picture, whatever is cropped already; all of it takes the crop off', async (t) => {
  const { crop, fake, stream } = await cropApi(t)
  await fake.addStream({ id: 'front', source, crop: part })

  const smaller = await crop({ x: 0.5, y: 0.5, width: 0.5, height: 0.5 })
  const off = await crop(whole)

  assert.deepEqual(smaller.body.crop, { x_px: 320, y_px: 240, width_px: 320, height_px: 240 })
  assert.deepEqual(off.body, { revision: 3, crop: null, applied: null })
  const { spec, status } = await stream()
  assert.deepEqual([spec.crop, status.crop, status.width_px], [undefined, null, 640])
})

test('the same crop and a repeated request change nothing; an old revision is refused', async (t) => {
  const { crop, fake } = await cropApi(t)
  await fake.addStream({ id: 'front', source })

  const first = await crop({ ...part, expected_revision: 1, request_id: 'once' })
  const again = await crop(part)
  const repeated = await crop({ ...part, expected_revision: 1, request_id: 'once' })
  const [stale, staleTag] = [await crop({ ...whole, expected_revision: 1 }), await crop(whole, { 'if-match': '"1"' })]
  const matching = await crop(whole, { 'if-match': '"2"' })

  assert.deepEqual([first.body.revision, again.body.revision, repeated.body], [2, 2, first.body])
  assert.equal(repeated.headers['idempotent-replayed'], 'true')
  assert.deepEqual([stale.status, stale.body.code, staleTag.body.code], [409, 'revision.stale', 'revision.stale'])
  assert.deepEqual([matching.status, matching.body.revision], [200, 3])
})

test('what does not lie in the picture is refused with its size, and changes nothing', async (t) => {
  const { crop, fake, stream, ask } = await cropApi(t)
  await fake.addStream({ id: 'front', source })

  const outside = await crop({ ...part, x_px: 400 })
  const unknown = await ask('POST', '/nobody/crop', part)

  assert.deepEqual([outside.status, outside.body.code], [400, 'body.invalid'])
  assert.match(outside.body.detail, /the picture has 640x480 pixels/)
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'stream.not_found'])
  assert.equal((await stream()).revision, 1)
})

test('a crop that the camera does not take is said; it stays stored and counts as soon as it can', async (t) => {
  let broken = false
  const gone: Fault = { code: 'camera.missing', detail: 'there is no camera' }
  const { crop, fake, stream } = await cropApi(t, () => (broken ? gone : undefined))
  await fake.addStream({ id: 'front', source })
  broken = true

  const { status, body } = await crop(part)

  assert.deepEqual([status, body.code], [502, 'camera.failed'])
  assert.match(body.detail, /the crop is stored.*there is no camera/)
  assert.deepEqual((await stream()).spec.crop, part)
  broken = false
  assert.deepEqual((await crop(part)).body.revision, 2)
})

test('a crop whose stream is deleted before it is in force was stored, and is answered so', async (t) => {
  const { app, fake } = await cropApi(t)
  const stream = await fake.addStream({ id: 'front', source })
  const headers = { host: 'localhost' }
  let deleted: Promise<void> | undefined
  fake.directory.events.subscribe(({ kind }) => {
    if (kind === 'stream_changed' && stream.stored.revision === 2) deleted ??= fake.drop('front')
  })

  const { statusCode, headers: said } = await app.inject({
    method: 'POST',
    url: '/v1/streams/front/crop',
    headers,
    payload: part,
  })

  assert.deepEqual([statusCode, said.etag], [204, '"2"'])
  await deleted
  assert.equal(fake.streams.get('front'), undefined)
})

test('a stream that is disabled keeps the crop for when it is enabled', async (t) => {
  const { crop, fake } = await cropApi(t)
  await fake.put({ id: 'front', source, enabled: false })

  assert.deepEqual((await crop(part)).body, { revision: 2, crop: part, applied: null })
})

test('of files the size is known when they were opened, not before', async (t) => {
  const { crop, fake } = await cropApi(t)
  await fake.put({ id: 'front', source: { backend: 'images', path: '/pictures' }, enabled: false })

  const early = await crop(part)
  await fake.put({ id: 'front', source: { backend: 'images', path: '/pictures' } })
  await fake.state('front', 'live')
  const late = await crop({ x: 0.5, y: 0, width: 0.5, height: 1 })

  assert.deepEqual([early.status, early.body.code], [502, 'camera.failed'])
  assert.deepEqual(late.body.crop, { x_px: 640, y_px: 0, width_px: 640, height_px: 800 })
})

test('a new stream may have a crop, which is judged by its mode', async (t) => {
  const { ask } = await cropApi(t)

  const made = await ask('POST', '', { id: 'front', source, crop: part })
  const outside = await ask('POST', '', { id: 'other', source, crop: { ...part, y_px: 300 } })
  const all = await ask('POST', '/validate', { source, crop: { x_px: 0, y_px: 0, width_px: 640, height_px: 480 } })

  assert.deepEqual(made.body.spec.crop, part)
  assert.deepEqual([outside.status, outside.body.code], [422, 'manifest.invalid'])
  assert.match(outside.body.detail, /y_px.*from 300 to 540 pixels from the top; the picture has 640x480 pixels/)
  assert.equal(all.body.crop, undefined)
})
