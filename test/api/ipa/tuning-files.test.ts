// The tuning files over the API: shown, had as they are, changed in one place, and as they were again.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { CAMERAS } from '../../../actors/cameras/tokens.ts'
import { ROBOT_ENABLED } from '../../../actors/nt4/tokens.ts'
import type { CcmOrder, Ipa } from '../../../machines/ipa/ipa.ts'
import { restOf } from '../../../machines/ipa/tuning-text.ts'
import { FakeCameras } from '../../../native/cameras/fake.ts'
import { CAMERAS_PORT } from '../../../native/cameras/port.ts'
import { projectPath } from '../../../native/files/project-root.ts'
import { believableIpa, type FakeIpa } from '../../../native/ipa/fake.ts'
import { IPA } from '../../../native/ipa/port.ts'
import { type Binding, value } from '../../../supervisors/composition/container.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'
import { MONO, WITH_COMMA } from '../../support/colour/tuning-files.ts'
import { until } from '../../support/until.ts'

const CCM = [1.5, -0.4, -0.1, -0.3, 1.4, -0.1, 0, -0.5, 1.5]
const SHIPPED = '/usr/share/libcamera/ipa/rpi/vc4/imx219.json'
const COPY = '/etc/libcamera/ipa/rpi/vc4/imx219.json'

const device = async (t: TestContext, ports: readonly Binding[] = []) => {
  const ipa: FakeIpa = believableIpa(() => 1_795_000_000_000)
  const { app, fake } = await fakeApi(t, {}, { ports: [value(IPA, ipa), ...ports] })
  const send = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const headers = { host: 'localhost' }
    const answered = await app.inject({ method, url: `/v1/device/ipa${path}`, headers, ...(payload && { payload }) })
    const contentType = String(answered.headers['content-type'])
    return { status: answered.statusCode, contentType, body: answered.body, bytes: answered.rawPayload, answered }
  }
  const show = async (query = '') => JSON.parse((await send('GET', query)).body) as Ipa
  const order = (wanted: CcmOrder) => send('POST', '/ccm', wanted)
  return { ipa, fake, send, show, order }
}

const download = (path: string): string => `/download?file=${encodeURIComponent(path)}`

test('a matrix is written into a copy, is in force at once, and is gone with the copy', async (t) => {
  const { ipa, show, order, fake } = await device(t)
  ipa.files.set(SHIPPED, WITH_COMMA)
  const before = await show()
  assert.deepEqual([before.cameras[0]?.file, before.cameras[0]?.matrices?.length], [SHIPPED, 2])

  const written = await order({ ct: 4000, ccm: CCM })

  assert.deepEqual([written.status, written.body], [204, ''])
  const { cameras, files, last_change } = await show()
  assert.equal(cameras[0]?.file, COPY)
  assert.deepEqual(
    cameras[0]?.matrices?.map(({ ct }) => ct),
    [2850, 4000, 5600],
  )
  assert.deepEqual(
    files.filter(({ sensor, module }) => sensor === 'imx219' && module === 'rpi/vc4').map(({ in_force }) => in_force),
    [true, false],
  )
  assert.equal(files[0]?.made_at_ms, 1_795_000_000_000)
  assert.match(last_change?.detail ?? '', /4000 K was written; it holds from the next start of the engine on/)
  assert.equal(ipa.files.get(SHIPPED), WITH_COMMA)
  assert.equal(restOf(ipa.files.get(COPY) ?? ''), restOf(WITH_COMMA))

  await order({ ct: 4100, ccm: CCM }) // the same light
  assert.equal((await show()).cameras[0]?.matrices?.length, 3)

  assert.equal((await order({ remove: true })).status, 204)
  assert.equal((await show()).cameras[0]?.file, SHIPPED)
  assert.ok(!ipa.files.has(COPY))
  assertProblem(await order({ remove: true }), 'ipa.not_changed')
  const told = fake.directory.events.since(0, fake.directory.identity.epoch)
  assert.ok(told.type === 'events')
  assert.equal(told.events.filter(({ kind }) => kind === 'ipa_changed').length, 3)
})

test('a download is the file, byte by byte; nothing that is not listed can be had', async (t) => {
  const { ipa, send } = await device(t)
  const odd = `${WITH_COMMA.replaceAll('\n', '\r\n')}\xff\0`
  ipa.files.set(SHIPPED, odd)

  const { status, contentType, bytes, answered } = await send('GET', download(SHIPPED))

  assert.deepEqual([status, contentType], [200, 'application/octet-stream'])
  assert.deepEqual(bytes, Buffer.from(odd, 'latin1'))
  assert.equal(answered.headers['content-disposition'], 'attachment; filename="imx219.json"')
  for (const path of ['/etc/passwd', `${SHIPPED}/../../../../../../../etc/passwd`, 'imx219.json', `${SHIPPED}\0`, '..'])
    assertProblem(await send('GET', download(path)), 'query.invalid')
  for (const path of ['/etc/secret.json', `${SHIPPED}/../imx219.json`, `/.${SHIPPED}`, SHIPPED.replace('/', '//')])
    assertProblem(await send('GET', download(path)), 'ipa.not_found')
  assert.deepEqual((await send('GET', '/download')).bytes, bytes)
  assertProblem(await send('GET', `?file=${encodeURIComponent('/etc/secret.json')}`), 'ipa.not_found')
})

test('what would lose the camera, or tint greys, is refused before anything is written', async (t) => {
  const { ipa, order } = await device(t)
  const before = new Map(ipa.files)
  const row = (...entries: readonly number[]) => [...entries, ...CCM.slice(3)]

  for (const ccm of [row(1.2, 0, 0), CCM.slice(1), row(9, -8, 0), row(8, -7, 0)])
    assertProblem(await order({ ct: 4000, ccm }), 'body.invalid')
  for (const wanted of [{ ct: 4000 }, { ccm: CCM }, {}, { remove: true, ct: 4000 } as const, { ct: 1, ccm: CCM }])
    assertProblem(await order(wanted), 'body.invalid')
  const { errors } = assertProblem(await order({ ct: 4000, ccm: row(1.2, 0, 0) }), 'body.invalid')
  assert.match(errors?.[0]?.message ?? '', /row 1 sums to 1\.2000/)

  ipa.files.set('/usr/share/libcamera/ipa/rpi/vc4/ov9281_mono.json', MONO)
  before.set('/usr/share/libcamera/ipa/rpi/vc4/ov9281_mono.json', MONO)
  const refusal = async (file: string) =>
    assertProblem(await order({ file, ct: 4000, ccm: CCM }), 'ipa.not_changed').detail
  assert.match(await refusal('/usr/share/libcamera/ipa/rpi/vc4/ov9281_mono.json'), /a sensor without colours/)
  assert.match(await refusal('/usr/share/libcamera/ipa/rkisp1/imx219.yaml'), /is YAML/)
  assertProblem(await order({ file: '/etc/secret.json', ct: 4000, ccm: CCM }), 'ipa.not_found')
  assert.deepEqual(ipa.files, before)
})

test('the orders of the how-to are taken', async (t) => {
  const { send, show } = await device(t)
  const page = readFileSync(projectPath('docs/how-to/find-a-colour-matrix.md'), 'utf8')
  const [, query = ''] = /ccm\/solve(\?[^"]+)"/.exec(page) ?? []
  const [, body = ''] = /-d '([^']+)'/.exec(page) ?? []

  assert.equal((await send('POST', `/ccm/solve${query}`, { any: 'picture' })).status, 200)
  assert.equal((await send('POST', '/ccm', JSON.parse(body))).status, 204)

  assert.equal((await show()).cameras[0]?.matrices?.length, 3)
})

test('a disk that is full leaves all as it was, and says so', async (t) => {
  const { ipa, order, show } = await device(t)
  ipa.fault = { code: 'storage.full', detail: 'the disk is full' }

  assertProblem(await order({ ct: 4000, ccm: CCM }), 'storage.full')

  const { cameras, last_change } = await show()
  assert.deepEqual([cameras[0]?.file, last_change], [SHIPPED, null])
})

test('with several sensors, or none, the file is named; many orders at once are carried out one by one', async (t) => {
  const { ipa, order, show } = await device(t)
  ipa.sensors = ['imx219', 'ov5647']
  assert.match(assertProblem(await order({ ct: 4000, ccm: CCM }), 'ipa.not_found').detail, /there are 2 sensors here/)
  ipa.sensors = []
  assertProblem(await order({ ct: 4000, ccm: CCM }), 'ipa.not_found')
  ipa.sensors = ['imx219']

  const lights = [2000, 3500, 4300, 7000, 9000]
  const all = await Promise.all(lights.map((ct) => order({ ct, ccm: CCM })))

  assert.ok(all.every(({ status }) => status === 204))
  const { cameras } = await show()
  assert.deepEqual(
    cameras[0]?.matrices?.map(({ ct }) => ct),
    [2000, 2850, 3500, 4300, 5600, 7000, 9000],
  )
})

test('a restart is said, and done: streams of cameras that are not on USB, and none else', async (t) => {
  const cameras = new FakeCameras()
  cameras.plug({ number: 0, isOnUsb: false, product: 'imx219' })
  cameras.plug({ number: 2, port: '2' })
  const { order, show, fake } = await device(t, [value(CAMERAS_PORT, cameras)])
  const uidOf = (device: string) =>
    fake.resolve(CAMERAS).recognised.present.find(({ node }) => node.device === device)?.unit.camera_uid
  for (const [id, file] of [
    ['ribbon', '/dev/video0'],
    ['webcam', '/dev/video2'],
  ] as const) {
    const camera_uid = await until('the camera', () => uidOf(file))
    const mode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const
    await fake.addStream({ id, source: { backend: 'v4l2', camera_uid: camera_uid as string, ...mode } })
  }
  await fake.addStream({ id: 'drawn', source: { backend: 'synthetic' } })
  const before = ['ribbon', 'webcam', 'drawn'].map((id) => fake.engine(id))

  assert.equal((await order({ ct: 4000, ccm: CCM, restart_engine: true })).status, 204)

  const { last_change, cameras: shown } = await show()
  assert.deepEqual(last_change?.restarted, ['ribbon'])
  assert.match(last_change?.detail ?? '', /4000 K was written, and ribbon restarted with it\./)
  assert.deepEqual(
    shown.map(({ sensor }) => sensor),
    ['imx219', null],
  )
  await until('another engine', () => fake.engine('ribbon') !== before[0])
  assert.deepEqual([fake.engine('webcam'), fake.engine('drawn')], before.slice(1))
})

test('without such a camera none is restarted, which is said; an enabled robot keeps it from being done', async (t) => {
  const { ipa, order, show, fake } = await device(t)

  assert.equal((await order({ ct: 4000, ccm: CCM, restart_engine: true })).status, 204)
  assert.deepEqual((await show()).last_change?.restarted, [])
  assert.match(
    (await show()).last_change?.detail ?? '',
    /No stream was restarted: none has a camera that is not on USB/,
  )

  fake.resolve(ROBOT_ENABLED).set(true)
  const before = new Map(ipa.files)
  assertProblem(await order({ remove: true, restart_engine: true }), 'restart.robot_enabled')
  assert.deepEqual(ipa.files, before)
  assert.equal((await order({ remove: true })).status, 204)
})
