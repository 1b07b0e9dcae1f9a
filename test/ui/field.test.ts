// The room of the field as people have it: that of the real service, in a real browser.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { StreamView } from '../../api/stream/wire.ts'
import { demoMap } from '../../machines/localization/field-map.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const small = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const

// Its cameras see the first two tags of the map.
const lifetime = fileLifetime()
const place = site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' })
let daemon: Daemon
before(async () => {
  mkdirSync(join(place.dataDir, 'maps'), { recursive: true })
  writeFileSync(join(place.dataDir, 'maps', 'practice.json'), '{"tags": 3}')
  writeFileSync(join(place.dataDir, 'maps', 'gym.json'), JSON.stringify({ ...demoMap, id: 'gym', name: 'Gym' }))
  daemon = await place.start()
  await daemon.send('PUT', '/v1/localization/config', { enabled: false }) // each stream for itself
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  await daemon.addStream({ id: 'left', alias: 'Left', source: small })
  const back = await site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  await back.addStream({ id: 'rear', alias: 'Rear', source: small })
  await daemon.send('POST', '/v1/peers', { base_url: back.url, name: 'comp-back' })
})

const robotIn = (page: Page, by: string) =>
  page.getByRole('img', { name: new RegExp(`${by} has the robot at x .* m, y .* m, .* and sees tags 1 and 2`) })

test('the robot is on the field where a stream sees it, with its figures and the truth', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field?stream=front' })

  await robotIn(page, 'Front').waitFor()
  const figures = page.locator('section').filter({ has: page.getByRole('link', { name: 'Front' }) })
  await figures.getByText('1, 2', { exact: true }).waitFor()
  await figures.getByText('off the truth').waitFor()
  await figures
    .getByText(/^± 10\.0 mm$/)
    .first()
    .waitFor()
})

test('what is seen lights the tags and is joined to them, and what is left out is not drawn', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field?stream=front&hide=frusta' })
  await robotIn(page, 'Front').waitFor()

  await page.locator('.field-tag[data-seen="true"]').nth(1).waitFor()
  await page.locator('.field-line').nth(1).waitFor()
  assert.equal(await page.locator('.field-frustum').count(), 0)

  await page.getByLabel('Camera views').check()
  await page.locator('.field-frustum').waitFor()
  assert.equal(new URL(page.url()).search, '?stream=front')
})

test('whom nobody has chosen is a stream that knows where its camera sits', async (t) => {
  const pose = { x_m: 0.2, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
  await daemon.send('PUT', '/v1/streams/left/pose', pose)
  const { page } = await openPage(t, daemon.url, { path: '/field' })

  await page.getByRole('checkbox', { name: 'Left', checked: true }).waitFor()

  assert.equal(await page.getByRole('checkbox', { name: 'Front' }).isChecked(), false)
  await daemon.send('DELETE', '/v1/streams/left/pose', {})
})

test('another stream is chosen beside the first, stands in the address, and back takes it away', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field?stream=front' })
  await robotIn(page, 'Front').waitFor()

  await page.getByRole('checkbox', { name: 'Left' }).check()
  await robotIn(page, 'Left').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('stream'), 'front,left')

  await page.goBack()
  await page.getByRole('checkbox', { name: 'Left', checked: false }).waitFor()
})

test('the robot is on the field where the camera of another device sees it', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field?stream=front' })

  await page.getByRole('checkbox', { name: /Rear on comp-back/ }).check()

  await robotIn(page, 'Rear on comp-back').waitFor()
  await page.getByText('proxy', { exact: true }).waitFor()
})

test('a stream that somebody else makes can be chosen without loading again', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field?stream=front' })
  await robotIn(page, 'Front').waitFor()

  await daemon.addStream({ id: 'back', alias: 'Back', source: small })
  await page.getByRole('checkbox', { name: 'Back', exact: true }).check()
  await robotIn(page, 'Back').waitFor()
  await daemon.send('DELETE', '/v1/streams/back')

  await page.getByText('There is no stream “back” here any more.').waitFor()
})

test('a size of the robot that somebody else says is drawn', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field?stream=front' })
  await robotIn(page, 'Front').waitFor()
  const robot = page.locator('.field-robot')
  const widthOf = async () => (await robot.boundingBox())?.width ?? 0
  const before = await widthOf()

  await daemon.send('PATCH', '/v1/device/robot-dimensions', { length_m: 2, width_m: 2 })

  await until('a larger robot', widthOf, (width) => width > before * 1.5)
  await daemon.send('PATCH', '/v1/device/robot-dimensions', { length_m: null, width_m: null })
})

test('the map says how another one is added, and why a file is none', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field' })

  await page.getByLabel('Shown').waitFor()
  await page.getByText(/The field map practice\.json is left out: /).waitFor()
  await page.getByText('Add a map').click()
  await page.getByText(/folder `maps` of the data directory/).waitFor()
})

test('a stream is told to use another map, and the page says that it does', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field?stream=left' })
  await robotIn(page, 'Left').waitFor()

  await page.getByLabel('Shown').selectOption('Gym')
  await page.getByText('Left uses the map “Demo field”').waitFor()
  await page.getByRole('button', { name: 'Have Left use this one' }).click()
  await page.getByText('Left uses the map “Demo field”').waitFor({ state: 'detached' })

  const { spec } = await daemon.get<StreamView>('/v1/streams/left')
  assert.equal(spec.map_id, 'gym')
})

test('what is old is greyed, and says how old it is', async (t) => {
  await daemon.addStream({ id: 'stopped', alias: 'Stopped', source: small })
  t.after(() => daemon.send('DELETE', '/v1/streams/stopped'))
  const { page } = await openPage(t, daemon.url, { path: '/field?stream=stopped' })
  await robotIn(page, 'Stopped').waitFor()
  await page.locator('.field-view .is-old').first().waitFor({ state: 'detached' })

  await daemon.send('PATCH', '/v1/streams/stopped', { patch: { enabled: false } })

  await page.getByText(/^This is old: nothing came for/).waitFor()
  await page.locator('.field-view .is-old').first().waitFor()
})

test('a robot that moves takes no request', async (t) => {
  const { page, requests } = await openPage(t, daemon.url, { path: '/field?stream=front' })
  const robot = robotIn(page, 'Front')
  await robot.waitFor()
  await page.getByText('Add a map').waitFor()
  await until('all answers', requests, ({ open }) => open === 0)
  const askedMeanwhile = async () => {
    const before = requests().asked.length
    const places = new Set<string>()
    await until(
      'ten places',
      async () => places.add((await robot.getAttribute('aria-label')) ?? '').size,
      (count) => count >= 10,
    )
    return requests().asked.slice(before)
  }

  // something else may have changed meanwhile
  await until('ten places without a request', askedMeanwhile, ({ length }) => length === 0)
})

test('results come only while somebody looks', async (t) => {
  const opened: string[] = []
  const closed: string[] = []
  const { page } = await openPage(t, daemon.url, {
    path: '/field?stream=front',
    prepare: async (page) => {
      page.on('websocket', (socket) => {
        if (!socket.url().includes('/v1/results')) return
        opened.push(socket.url())
        socket.on('close', () => closed.push(socket.url()))
      })
    },
  })
  await robotIn(page, 'Front').waitFor()
  assert.equal(opened.length, 1)

  await page.getByRole('link', { name: 'Rig', exact: true }).click()
  await page.getByRole('heading', { name: 'Rig', level: 1 }).waitFor()

  await until(
    'the end of the results',
    () => closed.length,
    (count) => count === opened.length,
  )
})

test('the field is drawn in three dimensions, from each view', async (t) => {
  const { page } = await openPage(t, daemon.url, {
    path: '/field?stream=front',
  })
  await robotIn(page, 'Front').waitFor()

  for (const name of ['3D', 'Blue station', 'Red station', 'Camera']) {
    await page.getByRole('tab', { name }).click()
    await page.getByRole('img', { name: /Front has the robot at .* Arrow keys go around/ }).waitFor()
  }
  assert.equal(new URL(page.url()).searchParams.get('view'), 'camera')
  assert.equal(await page.locator('canvas').count(), 1)

  await page.getByRole('tab', { name: 'Above' }).click()
  await page.locator('.field-view').waitFor()
  assert.equal(await page.locator('canvas').count(), 0)
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the field can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const { page } = await openPage(t, daemon.url, { path: '/field?stream=front', viewport, colorScheme })
    await robotIn(page, 'Front').waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
