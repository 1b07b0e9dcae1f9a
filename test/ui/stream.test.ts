// The page of one stream as people have it: that of the real service, in a real browser.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { MediaItem } from '../../machines/media/item.ts'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { daemonWithCamera } from '../support/cameras/v4l2/daemon.ts'
import { CONTROL, cameraModels } from '../support/cameras/v4l2/models.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const MANUAL = '1'
const small = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
const still = { backend: 'synthetic', width_px: 640, height_px: 400, fps: 10, motion: 'orbit' } as const
const REFUSED = [/Failed to load resource/, /answer: (4|5)\d\d/] // browsers complain of each refusal themselves

const lifetime = fileLifetime()
let shared: Daemon // with fake engines: where pictures do not matter
let made = 0

before(async () => {
  shared = await site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start()
})

/** A stream of the service that these tests share. */
const newStream = async (more: object = {}) => {
  made += 1
  const id = `front${made}`
  await shared.addStream({ id, alias: 'Front', source: small, ...more })
  return { id, at: `/v1/streams/${id}`, path: `/streams/${id}`, read: () => shared.stream(id, 'live') }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

test('the page shows what was found in the frame on the screen, and how far that is from the truth', async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'front', alias: 'Front', source: still })
  const { page } = await openPage(t, daemon.url, { path: '/streams/front' })

  const tags = page.getByRole('table')
  await tags.getByRole('row').nth(1).waitFor()
  const distance = await tags.getByRole('cell').first().textContent()
  const off = await page.getByText('Off from the truth of the synthetic camera by').textContent()
  await page.getByRole('img', { name: 'Front', exact: true }).waitFor()
  await page.getByText(/^tags \d+\.\d/).waitFor()
  const { engine_pid } = await daemon.metrics('front')
  process.kill(engine_pid as number, 'SIGKILL')
  await page.getByRole('tab', { name: /Faults/ }).click()
  await page.getByText('1 restart after crashes').waitFor()

  await page.locator('.page-head').getByText('live', { exact: true }).waitFor()
  assert.match(String(distance), /^\d+\.\d\dm$/)
  assert.match(String(off), /by \d+\.\d mm and \d+\.\d\d°/)
  await page.getByRole('tab', { name: 'Now' }).click()
  await tags.getByRole('row').nth(1).waitFor()
})

test('a control acts while it is dragged, follows other clients, and says what is refused', async (t) => {
  const { daemon, camera, camera_uid } = await daemonWithCamera(t, cameraModels.webCamera)
  await daemon.send('POST', '/v1/streams', { id: 'front', alias: 'Front', camera_uid })
  await daemon.stream('front', 'live')
  const { page } = await openPage(t, daemon.url, { path: '/streams/front?tab=controls', expected: REFUSED })
  const gain = page.getByRole('slider', { name: 'Gain' })
  const exposure = page.getByRole('slider', { name: 'Exposure time' })
  await gain.waitFor()

  const wasDecided = await exposure.isDisabled()
  await gain.focus()
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press('ArrowRight')
  await until(
    'the gain',
    () => camera.control(CONTROL.gain),
    (value) => value === 15,
  )
  await daemon.send('POST', `/v1/streams/front/controls/${CONTROL.gain}`, { value: 42 })
  await until(
    'the gain of another client',
    () => gain.inputValue(),
    (value) => value === '42',
  )
  await page.getByRole('combobox', { name: /exposure/i }).selectOption({ value: MANUAL })
  await until(
    'a slider that can be moved',
    () => exposure.isDisabled(),
    (isDisabled) => !isDisabled,
  )
  camera.state.set('refused_control', CONTROL.gain)
  await page.getByRole('spinbutton', { name: 'Gain, as a number' }).fill('50')
  await page.keyboard.press('Enter')
  const refusal = page.getByRole('group', { name: 'Gain' }).getByRole('alert')
  await refusal.waitFor()

  assert.equal(wasDecided, true)
  const { body } = await daemon.send<{ detail: string }>('POST', `/v1/streams/front/controls/${CONTROL.gain}`, {
    value: 50,
  })
  assert.ok((await refusal.textContent())?.includes(body.detail), body.detail)
  assert.equal(await gain.inputValue(), '42')
})

test('a control that is moved quickly is not set back by what is told late of its older values', async (t) => {
  const { daemon, camera, camera_uid } = await daemonWithCamera(t, cameraModels.webCamera)
  await daemon.send('POST', '/v1/streams', { id: 'front', alias: 'Front', camera_uid })
  await daemon.stream('front', 'live')
  const held: (() => void)[] = []
  const hold = (page: Page) =>
    page.routeWebSocket(/\/v1\/events/, (socket) => {
      socket.connectToServer().onMessage((message) => {
        if (String(message).includes('"control_changed"')) held.push(() => socket.send(message))
        else socket.send(message)
      })
    })
  const { page } = await openPage(t, daemon.url, { path: '/streams/front?tab=controls', prepare: hold })
  const gain = page.getByRole('slider', { name: 'Gain' })
  await gain.waitFor()
  const wanted = Number(await gain.inputValue()) + 5

  await gain.focus()
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press('ArrowRight')
  await until(
    'the gain',
    () => camera.control(CONTROL.gain),
    (value) => value === wanted,
  )
  await page
    .getByRole('group', { name: 'Gain' })
    .getByText(/^applied/)
    .waitFor()
  const shown = [await gain.inputValue()]
  for (let tell = held.shift(); tell; tell = held.shift()) {
    tell()
    shown.push(await gain.inputValue())
  }
  await daemon.send('POST', `/v1/streams/front/controls/${CONTROL.gain}`, { value: 42 })
  await until(
    'the gain of another client',
    () => {
      for (let tell = held.shift(); tell; tell = held.shift()) tell()
      return gain.inputValue()
    },
    (value) => value === '42',
  )

  assert.deepEqual([...new Set(shown)], [String(wanted)])
})

test('of two crops at once both are shown, and one is chosen', async (t) => {
  const front = await newStream()
  const { page } = await openPage(t, shared.url, { path: front.path, expected: REFUSED })
  await page.getByRole('button', { name: 'Crop', exact: true }).click()
  const width = page.getByRole('spinbutton', { name: 'Width of the crop' })
  const stored = async () => (await front.read()).spec.crop

  await width.fill('200')
  await width.press('Enter')
  await shared.send('POST', `${front.at}/crop`, { x_px: 0, y_px: 0, width_px: 160, height_px: 240 })
  await page.getByText('160×240').first().waitFor()
  await page.getByRole('button', { name: 'Set the crop' }).click()
  const conflict = page.getByText('Somebody else changed it.')
  await conflict.waitFor()
  const words = await conflict.textContent()
  await page.getByRole('button', { name: 'Set mine' }).click()
  await page.getByText(/^applied, revision \d+/).waitFor()

  assert.match(String(words), /Theirs: 160×240 at 0, 0.*Yours: 200×240 at 0, 0/)
  assert.deepEqual(await stored(), { x_px: 0, y_px: 0, width_px: 200, height_px: 240 })
})

test('a crop is dragged over the picture, and taken off', async (t) => {
  const front = await newStream()
  const { page } = await openPage(t, shared.url, { path: front.path })
  await page.getByRole('button', { name: 'Crop', exact: true }).click()
  const box = await page.locator('.streams-crop').boundingBox()
  assert.ok(box)
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const

  await page.mouse.move(...at(0.25, 0.25))
  await page.mouse.down()
  await page.mouse.move(...at(0.75, 0.75))
  await page.mouse.up()
  await page.getByRole('button', { name: 'Set the crop' }).click()
  await page.getByText('160×120, ').waitFor()
  const { spec } = await front.read()
  await page.getByRole('button', { name: 'Whole picture' }).click()
  await page.getByText('320×240, ').waitFor()

  assert.deepEqual(spec.crop, { x_px: 80, y_px: 60, width_px: 160, height_px: 120 })
  assert.equal((await front.read()).spec.crop, undefined)
})

test('a place that two people set at once is that of the one who is asked', async (t) => {
  const pose = { x_m: 0.25, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -15, yaw_deg: 0 }
  const front = await newStream({ pose })
  const { page } = await openPage(t, shared.url, { path: `${front.path}?tab=settings`, expected: REFUSED })
  const forward = page.getByRole('spinbutton', { name: 'Forward, of the camera' })

  await forward.fill('0.3')
  await forward.press('Enter')
  await shared.send('PUT', `${front.at}/pose`, { ...pose, x_m: 0.4 })
  await page.getByText('revision 2', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Set the place' }).click()
  await page.getByText(/Theirs: 0\.400, .*Yours: 0\.300, /).waitFor()
  await page.getByRole('button', { name: 'Take theirs' }).click()

  assert.equal(await forward.inputValue(), '0.4')
  assert.equal((await front.read()).spec.pose?.x_m, 0.4)
})

test('a name is set, a stream switched off and on, and what is kept leads to the media', async (t) => {
  const front = await newStream()
  const { page } = await openPage(t, shared.url, { path: `${front.path}?tab=settings` })

  await page.getByRole('textbox', { name: 'Name' }).fill('Bow')
  await page.getByRole('button', { name: 'Set the name' }).click()
  await heading(page, 'Bow')
  await page.getByText('applied, revision 2').waitFor()
  const runs = page.getByRole('checkbox', { name: 'Runs' })
  await runs.click()
  await page.locator('.page-head').getByText('switched off').waitFor()
  await until(
    'the end of its running',
    () => runs.isChecked(),
    (isChecked) => !isChecked,
  )
  await runs.click()
  await page.locator('.page-head').getByText('live', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await page.getByText(/recording \d:\d\d/).waitFor()
  await page.getByRole('button', { name: 'Stop recording' }).click()
  const kept = page.getByRole('status').getByRole('link', { name: /^front.*\.mp4$/ })
  await page.getByRole('button', { name: 'Record', exact: true }).waitFor()

  const name = await kept.textContent()
  assert.equal(await kept.getAttribute('href'), `/media/${name}`)
  await until('its end', async () => (await shared.get<MediaItem>(`/v1/media/${name}/metadata`)).state === 'ready')
})

test('a stream keeps its last seconds when it is told to, and gives them as a clip', async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  const { page } = await openPage(t, daemon.url, { path: '/streams/front' })
  const last = page.getByRole('button', { name: 'Last 10 s' })

  await last.click()
  await page.getByRole('button', { name: 'Keep them from now on' }).click()
  await page.getByText('does not keep its last seconds yet').waitFor({ state: 'detached' })
  await daemon.stream('front', 'live')
  await daemon.picture('front')
  await last.click()
  const name = await page
    .getByRole('status')
    .getByRole('link', { name: /\.mp4$/ })
    .textContent()
  await page.getByText('Kept the last seconds').waitFor()

  const { origin } = await until(
    'the end of the clip',
    () => daemon.get<MediaItem>(`/v1/media/${name}/metadata`),
    ({ state }) => state === 'ready',
  )
  assert.equal(origin, 'rewind')
})

test('the modes of a camera are measured, ranked, and one is used', async (t) => {
  const { daemon, camera_uid } = await daemonWithCamera(t, cameraModels.webCamera)
  await daemon.send('POST', '/v1/streams', { id: 'front', alias: 'Front', camera_uid })
  await daemon.stream('front', 'live')
  const { page } = await openPage(t, daemon.url, { path: '/streams/front?tab=mode', expected: REFUSED })

  await page.getByRole('button', { name: 'Measure the modes' }).click()
  await page.getByRole('progressbar').waitFor()
  const meanwhile = await daemon.stream('front', 'paused')
  await page.getByText('The best first').waitFor()
  await daemon.stream('front', 'live')
  const measured = await page.getByRole('row', { name: /^640×480 yuyv, 30 fps \d/ }).count()
  await page.getByRole('button', { name: 'Use 320×240 yuyv at 30 fps' }).click()
  await page.getByText('320×240, ').waitFor()

  assert.ok(measured > 0)
  assert.equal(meanwhile.spec.enabled, true)
  const { source } = (await daemon.stream('front', 'live')).spec
  assert.deepEqual([source.backend, 'pixel_format' in source && source.pixel_format], ['v4l2', 'yuyv'])
})

test('a pipeline is chosen by its name, and its slot by another client', async (t) => {
  const front = await newStream()
  const graph = {
    name: 'Near tags',
    nodes: [{ id: 'source', type: 'source', params: {} }],
    edges: [],
    outputs: [],
  }
  const made = await shared.send('POST', '/v1/pipelines/graphs', { id: 'tags-near', ...graph })
  assert.ok(made.status < 300, JSON.stringify(made.body))
  const { page } = await openPage(t, shared.url, { path: `${front.path}?tab=pipeline` })

  await page.getByLabel('Another stored pipeline').selectOption({ label: 'Near tags' })
  await page.getByRole('button', { name: 'Run it' }).click()
  await page.getByRole('radio', { name: /Near tags/, checked: true }).waitFor()
  await shared.send('POST', `${front.at}/pipeline/graph`, { slot: null })
  await until('the own pipeline', () => page.getByRole('radio', { name: /of this stream alone/ }).isChecked(), Boolean)

  await until(
    'the link to it, which follows what runs',
    () => page.getByRole('link', { name: 'Open it in the editor' }).getAttribute('href'),
    (href) => href === `/pipelines/of/${front.id}`,
  )
})

test('the page of a stream says that a pipeline is tried on it, and ends that', async (t) => {
  const front = await newStream()
  const { page } = await openPage(t, shared.url, { path: `${front.path}?tab=pipeline` })
  const graph = { nodes: [{ id: 'source', type: 'source' }], edges: [], outputs: [] }
  await shared.send('POST', `${front.at}/pipeline/graph`, { graph, trial_s: 600 })
  await page.getByText('A pipeline is tried on it').waitFor()

  await page.getByRole('button', { name: 'End the trial' }).click()

  await page.getByText('A pipeline is tried on it').waitFor({ state: 'detached' })
})

test('a stream of another device is labelled, follows that device, and says what was applied there', async (t) => {
  const there = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  await there.addStream({ id: 'front', alias: 'Front', source: small })
  const here = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  await here.send('POST', '/v1/peers', { base_url: there.url, name: 'comp-back' })
  const [peer] = await until(
    'the link',
    async () => (await here.get<{ readonly items: readonly PeerRecord[] }>('/v1/peers')).items,
    ([first]) => first?.status === 'linked',
  )
  const { page } = await openPage(t, here.url, { path: `/streams/${peer?.id}%3Afront` })
  await page.getByText('remote native stream on comp-back').waitFor()
  await page.getByText('comp-back decides').waitFor()
  await page.getByText('proxy', { exact: true }).waitFor()
  await page.getByRole('img', { name: 'Front', exact: true }).waitFor()

  await there.send('PATCH', '/v1/streams/front', { patch: { alias: 'Bow' } })
  await heading(page, 'Bow')
  await page.getByText('revision 2 on comp-back').waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Stern')
  await page.getByRole('button', { name: 'Set the name' }).click()
  await page.getByText('applied on comp-back, revision 3').waitFor()
  await heading(page, 'Stern')
  await page.getByRole('button', { name: 'Work on its pictures here' }).click()
  await page.getByText('worked on here', { exact: true }).waitFor()

  assert.equal((await there.stream('front', 'live')).spec.alias, 'Stern')
  const { items } = await here.get<{ items: { spec: { source: { backend: string } } }[] }>('/v1/streams')
  assert.equal(items[0]?.spec.source.backend, 'peer')
})

test('a stream of another device is cropped there, and says what is wrong with it there', async (t) => {
  const place = site(t) // the fake engine has a picture of every file
  const there = await place.start()
  const lost = { backend: 'images', path: join(place.dataDir, 'none') } as const
  for (const [id, source] of Object.entries({ front: small, lost })) {
    const { status } = await there.send('POST', '/v1/streams', { id, source })
    assert.equal(status, 200)
  }
  const here = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  await here.send('POST', '/v1/peers', { base_url: there.url, name: 'back' })
  const { page } = await openPage(t, here.url, { path: '/streams/back:lost' })

  await page.getByRole('alert').getByText(lost.path).first().waitFor()
  await page.getByRole('tab', { name: 'Faults (!)' }).click()
  await page.getByRole('tabpanel').getByText(lost.path).waitFor()
  await page.getByRole('link', { name: 'Streams' }).last().click()
  await page.getByRole('link', { name: 'front', exact: true }).click()
  await page.getByRole('button', { name: 'Crop', exact: true }).click()
  await page.getByRole('spinbutton', { name: 'Width of the crop' }).fill('160')
  await page.getByRole('spinbutton', { name: 'Width of the crop' }).press('Enter')
  await page.getByRole('button', { name: 'Set the crop' }).click()
  await page.getByText(/^applied on back, revision 2/).waitFor()

  assert.deepEqual((await there.stream('front', 'live')).spec.crop, { x_px: 0, y_px: 0, width_px: 160, height_px: 240 })
  await page.getByRole('button', { name: 'Whole picture' }).click()
  await page.getByText(/^applied on back, revision 3/).waitFor()
  await page.getByRole('tab', { name: 'Faults', exact: true }).click()
  await page.getByText('Nothing is wrong with it at present.').waitFor()
})

test('a stream that is not there says so, and leads back', async (t) => {
  await newStream()
  const { page } = await openPage(t, shared.url, { path: '/streams/nowhere' })

  await page.getByText('There is no stream nowhere').waitFor()
  await page.getByRole('link', { name: 'See all streams' }).click()

  await page.getByRole('link', { name: 'Front', exact: true }).first().waitFor()
})

test('every part of the page can be used by everybody, in each look', async (t) => {
  const front = await newStream()
  const { page } = await openPage(t, shared.url, { path: front.path })
  await page.getByRole('button', { name: 'Crop', exact: true }).click()

  for (const tab of ['Now', 'Controls', 'Mode', 'Pipeline', 'Faults', 'Settings']) {
    await page.getByRole('tab', { name: tab }).click()
    for (const { name, viewport, colorScheme } of LOOKS) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      assert.deepEqual(await inaccessible(page), [], `${tab}, ${colorScheme} on a ${name}`)
    }
  }
})
