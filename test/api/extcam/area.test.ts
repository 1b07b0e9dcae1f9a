// Streams as the vendor's camera over HTTP.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listen } from '../../../api/server/server.ts'
import type { MediaItem } from '../../../machines/media/item.ts'
import { NT4_DOCUMENT, nt4Collection } from '../../../machines/nt4/settings.ts'
import { assertProblem } from '../../support/api/api.ts'
import { busyApi } from '../../support/api/busy-api.ts'
import { isJpeg, viewer } from '../../support/api/preview.ts'
import { until } from '../../support/until.ts'

/** The API of a service whose streams have the tables limelight and limelight-side. */
const vendor = async (t: TestContext) => {
  const { app, fake, bugs } = await busyApi(t)
  const send = async (method: 'GET' | 'HEAD' | 'POST', path: string, headers: Record<string, string> = {}) => {
    const response = await app.inject({ method, url: `/extcam/${path}`, headers: { host: 'localhost', ...headers } })
    const { 'content-type': contentType = '' } = response.headers
    return { status: response.statusCode, contentType, body: response.body }
  }
  const emulate = (emulate_extcam_api: boolean, revision: number) =>
    fake.directory.settings.trigger.committed({
      collection: nt4Collection.name,
      id: NT4_DOCUMENT,
      collectionRevision: revision,
      collectionBase: 0,
      revision,
      value: { emulate_extcam_api },
    })
  const snapshots = async (): Promise<readonly MediaItem[]> => {
    const response = await app.inject({ url: '/v1/media', headers: { host: 'localhost' } })
    return response.json().items
  }
  assert.equal((await snapshots()).length, 1)
  return { app, fake, bugs, send, emulate, snapshots }
}

test('the results are those of the newest frame, flat, in one line, in the forms that its readers take', async (t) => {
  const { send, fake } = await vendor(t)
  const stream = fake.streams.get('front')
  const seq = stream?.results.value?.data[0] as number

  const { status, contentType, body } = await send('GET', 'limelight/results')

  assert.deepEqual([status, contentType.split(';')[0]], [200, 'application/json'])
  assert.match(body, /^\{"v":[01],"pID":\d+,"pTYPE":"pipe_fiducial","tl":/)
  assert.ok(!body.includes('\n') && !body.includes('Results'))
  const document = JSON.parse(body)
  assert.ok(document.fidx >= seq)
  assert.deepEqual([document.botpose.length, document.ntconnected], [6, 0])
  for (const whole of ['v', 'fidx', 'botpose_tagcount', 'ts_us', 'ts_sys', 'ts_nt'])
    assert.match(body, new RegExp(`"${whole}":\\d+[,}]`), whole)
})

test('the status has the fields of the vendor and no others, flat', async (t) => {
  const { send } = await vendor(t)

  const status = async (table: string) => JSON.parse((await send('GET', `${table}/status`)).body)

  const front = await until(
    'the first reading of the device',
    () => status('limelight'),
    ({ cpu }) => cpu > 0,
  )
  const side = await status('limelight-side')

  const { fps, temp, cpu, ram, ...rest } = front
  assert.ok(fps >= 0 && fps < 1000)
  for (const figure of [temp, cpu, ram]) assert.match(`${figure}`, /^[1-9]\d?(\.\d)?$/)
  assert.deepEqual(rest, {
    name: '',
    pipelineIndex: 0,
    pipelineType: 'pipe_fiducial',
    pipeImgCount: 2,
    snapshotMode: 0,
    ignoreNT: 0,
    interfaceNeedsRefresh: 0,
    hwType: 0,
    cid: 0,
    finalYaw: 0,
    cameraQuat: { w: 1, x: 0, y: 0, z: 0 },
    finalimu: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    hailoCount: 0,
    hailoPower: 0,
    hailoTemp: 0,
  })
  assert.equal(side.name, 'side')
})

test('nothing is there of a table that no stream has, nor of any while none is emulated', async (t) => {
  const { send, emulate } = await vendor(t)
  const asked = ['results', 'status', 'capturesnapshot', 'stream.mjpg']
  const all = (table: string) => Promise.all(asked.map((path) => send('GET', `${table}/${path}`)))

  for (const answered of await all('limelight-9')) assertProblem(answered, 'extcam.not_found')
  emulate(false, 1)
  for (const answered of await all('limelight'))
    assert.match(assertProblem(answered, 'extcam.not_found').detail, /emulate_extcam_api is off/)

  emulate(true, 2)
  assert.equal((await send('GET', 'limelight/results')).status, 200)
})

test('a picture is kept as the API keeps one, under the name that the client gives in either way', async (t) => {
  const { send, snapshots } = await vendor(t)

  const current = await send('POST', 'limelight/capture-snapshot?snapname=by-the-goal')
  const old = await send('GET', 'limelight/capturesnapshot', { snapname: 'by-the-wall', 'user-agent': 'Java/17.0.9' })
  const unnamed = await send('GET', 'limelight/capturesnapshot')
  const empty = await send('POST', 'limelight/capture-snapshot?snapname=') // as the vendor's Python library

  const kept = [current, old, unnamed, empty].map(({ status, body }) => [status, JSON.parse(body)] as const)
  for (const [status, { origin, stream_id, kind }] of kept)
    assert.deepEqual([status, origin, stream_id, kind], [200, 'snapshot', 'front', 'picture'])
  assert.match(kept[0]?.[1].name, /^by-the-goal/)
  assert.match(kept[1]?.[1].name, /^by-the-wall/)
  const names = (await snapshots()).map(({ name }) => name)
  for (const [, { name }] of kept) assert.ok(names.includes(name))
})

test('no browser can be made to keep a picture by a GET, and nobody who only asks for its head', async (t) => {
  const { send, snapshots, fake } = await vendor(t)
  const before = await snapshots()
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0' }

  for (const headers of [
    browser,
    { ...browser, snapname: 'x' },
    { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
    { origin: 'https://evil.example' },
  ])
    assertProblem(await send('GET', 'limelight/capturesnapshot', headers), 'origin.foreign')
  assertProblem(await send('POST', 'limelight/capture-snapshot', { origin: 'https://evil.example' }), 'origin.foreign')
  assertProblem(await send('GET', 'limelight/capturesnapshot', { snapname: '\t\u00ad' }), 'query.invalid')
  assert.equal((await send('HEAD', 'limelight/capturesnapshot')).status, 200)

  assert.deepEqual(await snapshots(), before)
  assert.deepEqual(fake.streams.get('front')?.viewers.pictures.wanted(), [])
})

test('the live pictures are those of the preview, as dashboards of WPILib ask for them', async (t) => {
  const { app, fake } = await vendor(t)
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${port}/extcam/limelight/stream.mjpg`

  const { response, shown } = await viewer(t, `${url}?compression=70&fps=15&resolution=320x240`)
  await until('a picture', () => shown.find(({ isPlaceholder }) => !isPlaceholder))

  assert.match(response.headers['content-type'] ?? '', /^multipart\/x-mixed-replace; ?boundary=(?!--)/)
  assert.ok(shown.every(({ jpeg }) => isJpeg(jpeg)))
  const [kind] = fake.streams.get('front')?.viewers.pictures.wanted() ?? []
  assert.deepEqual([kind?.quality, kind?.max_width_px, kind?.fps, kind?.overlay], [30, 320, 15, false])
})

test('what a query has that the vendor does not know is ignored, and what it knows is checked', async (t) => {
  const { send } = await vendor(t)

  const unknown = await Promise.all([
    send('GET', 'limelight/results?t=1712'),
    send('GET', 'limelight/status?t=1712'),
    send('GET', 'limelight/capturesnapshot?t=1712'),
    send('POST', 'limelight/capture-snapshot?t=1712'),
    send('HEAD', 'limelight/stream.mjpg?t=1712'),
  ])
  const wrong = await send('GET', 'limelight/stream.mjpg?t=1712&fps=fast')

  assert.deepEqual(
    unknown.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  assertProblem(wrong, 'query.invalid')
})
