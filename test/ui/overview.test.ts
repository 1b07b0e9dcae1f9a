// The first page as people have it: that of the real service, in a real browser.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { inaccessible, LOOKS, openPage, UNANSWERED } from '../support/api/browser.ts'
import { emulatedUsb } from '../support/cameras/v4l2/cameras.ts'
import { cameraModels } from '../support/cameras/v4l2/models.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const small = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
const FAKE = { VEDETTE_ENGINE: 'fake' } as const
const REFUSED = /status of 409|answer: 409/ // there are as many streams as there may be

const withFakeEngines = (t: TestContext): Promise<Daemon> => site(t, undefined, FAKE).start()

test('each stream has a tile with its name, its state, its figures and the way to its own page', async (t) => {
  const daemon = await withFakeEngines(t)
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  const { page } = await openPage(t, daemon.url)

  const tile = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Front' }) })
  await tile.getByText('live', { exact: true }).waitFor()
  await tile.getByRole('img', { name: 'Front', exact: true }).waitFor()
  await tile.getByText(/^5\s*fps$/).waitFor()
  await tile.getByText(/^\d+, \d+$/).waitFor() // the tags of the frame on the screen

  await tile.getByRole('link', { name: 'Front' }).click()
  await page.waitForURL(/\/streams\/front$/)
})

// What the page tells the worker of its pictures, and hears of them.
const LISTEN = `
  window.told = { paths: [], states: [] }
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', ({ data }) => data.kind === 'state' && window.told.states.push(data.state.is))
    }
    postMessage(order, ...rest) {
      if (order.kind === 'source') window.told.paths.push(order.source.path)
      super.postMessage(order, ...rest)
    }
  }`

interface Told {
  readonly paths: readonly string[]
  readonly states: readonly string[]
}

test('a tile asks for what it draws and no more, and keeps its picture when that becomes something else', async (t) => {
  const daemon = await withFakeEngines(t)
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  const { page } = await openPage(t, daemon.url, { prepare: async (page) => void (await page.addInitScript(LISTEN)) })
  const told = () => page.evaluate<Told>('window.told')
  const live = page.getByRole('img', { name: 'Front', exact: true })
  await live.waitFor()
  assert.deepEqual(
    (await told()).paths.map((path) => new URLSearchParams(path.split('?')[1]).get('outputs')),
    ['tags'],
  )

  await daemon.send('POST', '/v1/streams/front/pipeline/output', { port: 'more', from: 'tags.detections' })
  await until(
    'both outputs',
    () => told(),
    ({ paths }) => paths.at(-1)?.includes('outputs=tags%2Cmore') === true,
  )
  await daemon.send('PATCH', '/v1/streams/front', { patch: { alias: 'Bow' } })
  await page.getByRole('img', { name: 'Bow', exact: true }).waitFor()
  const { states } = await told()
  assert.equal(states.lastIndexOf('waiting'), 0, `${states}`) // which it is again where its picture is thrown away
})

test('a stream that is deleted while the list is read does not come back with the answer', async (t) => {
  const daemon = await withFakeEngines(t)
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  const { page } = await openPage(t, daemon.url)
  await page.getByRole('img', { name: 'Front', exact: true }).waitFor()
  const [fetched, deleted, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), [] as string[]]
  await page.route(/\/v1\/streams\?include=remote/, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    if (!text.includes('"Side"')) return await route.fulfill({ response, body: text }) // it has just begun to listen
    read.push(text)
    fetched.resolve()
    if (read.length > 1) return // of which nothing is heard
    await deleted.promise
    await route.fulfill({ response, body: read[0]?.replaceAll('"Side"', '"Side as read"') ?? '' })
  })

  await daemon.addStream({ id: 'side', alias: 'Side', source: small })
  await fetched.promise
  await daemon.send('DELETE', '/v1/streams/front')
  await page.getByRole('article').filter({ hasText: 'Front' }).waitFor({ state: 'detached' })
  deleted.resolve()

  await until(
    'another reading',
    async () => read.length,
    (count) => count > 1,
  )
  assert.match(read[0] ?? '', /"Front"/)
  assert.deepEqual(await page.getByRole('article').getByRole('heading').allTextContents(), ['Side as read'])
  await page.unrouteAll()
})

test('a room that is opened is shown as soon as it is there', async (t) => {
  const daemon = await withFakeEngines(t)
  const { page } = await openPage(t, daemon.url, { prepare: (page) => page.clock.install() })
  await page.getByText('No camera is plugged in').waitFor()
  await page.clock.pauseAt(Date.now() + 60_000) // whatever waits now waits for ever

  await page.getByRole('link', { name: 'Settings' }).first().click()

  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
})

test('an empty device says its next step, and a press starts a stream', async (t) => {
  const daemon = await withFakeEngines(t)
  const { page } = await openPage(t, daemon.url)
  await page.getByText('No camera is plugged in. Plug one in, it shows here.').waitFor()

  await page.getByRole('button', { name: 'Try with the synthetic camera' }).click()

  await page.getByRole('heading', { name: 'Synthetic camera' }).waitFor()
  await page.getByRole('heading', { name: 'Robot on the field' }).waitFor()
})

test('what somebody else makes and changes is there without loading again, and listed', async (t) => {
  const daemon = await withFakeEngines(t)
  const { page } = await openPage(t, daemon.url)
  await page.getByText('No camera is plugged in').waitFor()

  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  await page.getByRole('heading', { name: 'Front' }).waitFor()
  const { status } = await daemon.send('PATCH', '/v1/streams/front', { patch: { alias: 'Bow' } })
  assert.equal(status, 204)

  await page.getByRole('heading', { name: 'Bow' }).waitFor()
  const { revision } = await daemon.stream('front', 'live')
  await page.getByText(`Bow settings changed, revision ${revision}`).waitFor()
})

test('a stream in trouble says what it is and leads to it, and no more when it is well', async (t) => {
  const daemon = await site(t).start()
  await daemon.send('POST', '/v1/streams', { id: 'back', alias: 'Back', source: { backend: 'url', url: nowhere } })
  // its results and pictures may just be asked for when it goes
  const { page } = await openPage(t, daemon.url, {
    expected: [/(results\?streams=back|streams\/back\/frames).*code: 404/],
  })

  const alert = page.getByRole('alert').filter({ hasText: 'Back has no pictures' })
  await alert.getByText(nowhere).waitFor()
  await page.getByRole('article').getByText('No pictures', { exact: true }).waitFor()

  await daemon.send('DELETE', '/v1/streams/back')
  await alert.waitFor({ state: 'detached' })
})

const nowhere = 'http://127.0.0.1:9/camera.mjpg'

test('a stream of another device is seen with its device, and what changes there is here', async (t) => {
  const [there, here] = [site(t, undefined, FAKE), site(t, undefined, FAKE)]
  const [source, daemon] = await Promise.all([there.start(), here.start()])
  await source.addStream({ id: 'turret', alias: 'Turret', source: small })
  await daemon.send('POST', '/v1/peers', { base_url: source.url, name: 'comp-back' })
  await until(
    'the link',
    () => daemon.get<PeerRecord>('/v1/peers/comp-back'),
    ({ status }) => status === 'linked',
  )
  const { page } = await openPage(t, daemon.url)

  const tile = page.getByRole('article').filter({ hasText: 'remote native stream on comp-back, comp-back decides' })
  await tile.getByText('proxy', { exact: true }).waitFor()
  await tile.getByRole('img', { name: 'Turret', exact: true }).waitFor()
  await source.send('PATCH', '/v1/streams/turret', { patch: { alias: 'Dome' } })
  await tile.getByRole('heading', { name: 'Dome' }).waitFor()

  await source.end('SIGKILL')
  await page.getByText('There is no link to comp-back').waitFor()
  await tile.getByText(/^old/).waitFor()
})

test('a camera is there the moment it is plugged in, and starts with one press', async (t) => {
  const usb = emulatedUsb(t)
  const daemon = await site(t, undefined, usb.environment).start()
  for (let n = 0; n < 16; n += 1)
    await daemon.send('POST', '/v1/streams', { id: `off-${n}`, source: small, enabled: false })
  const { page } = await openPage(t, daemon.url, { expected: [REFUSED] })
  await page.getByText('No other camera is plugged in').waitFor()

  usb.plug(cameraModels.webCamera)
  const start = page.getByRole('button', { name: /^Start / })
  await start.click()
  await page.getByRole('alert').filter({ hasText: '16' }).waitFor()
  await daemon.send('DELETE', '/v1/streams/off-0')
  await start.click()

  await start.waitFor({ state: 'detached' })
  const { items } = await daemon.get<{ items: readonly { spec: { source: object } }[] }>('/v1/streams')
  assert.equal(items.filter(({ spec: { source } }) => 'camera_uid' in source).length, 1)
})

test('a page on which nothing happens asks for nothing', async (t) => {
  const daemon = await withFakeEngines(t)
  await daemon.send('POST', '/v1/streams', { id: 'off', alias: 'Off', source: small, enabled: false })
  // the minutes below pass sooner than a socket opens
  const { page, requests } = await openPage(t, daemon.url, {
    prepare: (page) => page.clock.install(),
    expected: [UNANSWERED],
  })
  await page.getByText('Switched off').first().waitFor()
  const answered = () => until('all answers', requests, ({ open }) => open === 0)
  // what is read again when the page begins to listen
  const before = await until('ten seconds without a question', async () => {
    const { asked } = await answered()
    await page.clock.runFor('00:10')
    const now = (await answered()).asked.length
    return asked.length === now ? now : 0
  })
  assert.ok(before > 0)

  await page.clock.runFor('10:00')
  await answered()

  assert.deepEqual(requests().asked.slice(before), [])
})

const file = fileLifetime()
let shared: Promise<Daemon> | undefined
const withTwoStreams = async (): Promise<Daemon> => {
  const daemon = await site(file, undefined, FAKE).start()
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  await daemon.send('POST', '/v1/streams', { id: 'off', alias: 'Off', source: small, enabled: false })
  return daemon
}

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the first page can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    shared ??= withTwoStreams()
    const { url } = await shared
    const { page } = await openPage(t, url, { viewport, colorScheme })
    await page.getByRole('img', { name: 'Front', exact: true }).waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
