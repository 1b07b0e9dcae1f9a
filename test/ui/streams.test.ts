// The list of streams as people have it: that of the real service, in a real browser.
import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import { inaccessible, LOOKS, openPage, SIZES } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const MANY = 16 // more a device does not have
const small = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
const REFUSED = [/Failed to load resource/, /answer: 4\d\d/] // browsers complain of each refusal themselves

const lifetime = fileLifetime()
let full: Daemon

const start = (t: TestContext): Promise<Daemon> => site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()

before(async () => {
  full = await site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  for (let n = 1; n <= MANY; n += 1)
    await full.send('POST', '/v1/streams', { id: `s${n}`, alias: `Camera ${n}`, source: small, enabled: n <= 2 })
  await full.stream('s1', 'live')
})

test('sixteen streams are listed with what they are and what they do', async (t) => {
  const { page } = await openPage(t, full.url, { path: '/streams' })

  const row = page.getByRole('row', { name: /^Choose Camera 1 / })
  await row.getByText('live', { exact: true }).waitFor()
  await row.getByText('320×240 at 5 fps').waitFor()

  const text = (await row.textContent()) ?? ''
  for (const word of ['synthetic camera', 'its own']) assert.ok(text.includes(word), text)
  assert.equal(await page.getByRole('row').count(), MANY + 1)
  await page.getByRole('link', { name: 'Camera 16', exact: true }).click()
  await page.getByRole('heading', { name: 'Camera 16', level: 1 }).waitFor()
  await page.goBack()
  await row.waitFor()
})

test('what another client does to a stream is in the list without loading again', async (t) => {
  const daemon = await start(t)
  const { page } = await openPage(t, daemon.url, { path: '/streams' })
  await page.getByText('This device has no stream yet').waitFor()

  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  await page.getByRole('row', { name: /Front.*live/ }).waitFor()
  await daemon.send('PATCH', '/v1/streams/front', { patch: { alias: 'Bow', enabled: false } })
  await page.getByRole('row', { name: /Bow.*switched off/ }).waitFor()
  await daemon.send('DELETE', '/v1/streams/front')

  await page.getByText('This device has no stream yet').waitFor()
})

test('a stream that is deleted can be taken back, and is gone when it is not', async (t) => {
  const daemon = await start(t)
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  const { page } = await openPage(t, daemon.url, {
    path: '/streams',
    prepare: (page) => page.clock.install(),
  })
  const link = page.getByRole('link', { name: 'Front', exact: true })

  await page.getByRole('button', { name: 'Delete Front' }).click()
  await link.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await link.waitFor()
  await daemon.stream('front', 'live')
  await page.getByRole('button', { name: 'Delete Front' }).click()
  await link.waitFor({ state: 'detached' })
  await page.clock.runFor(10_000)

  await until(
    'the end of the stream',
    () => daemon.send('GET', '/v1/streams/front'),
    ({ status }) => status === 404,
  )
})

test('a stream is added by the form, which says in words what the service refuses', async (t) => {
  const daemon = await start(t)
  const { page } = await openPage(t, daemon.url, { path: '/streams', expected: REFUSED })
  await page.getByRole('button', { name: 'Add a stream' }).first().click()
  const dialog = page.getByRole('dialog')

  await dialog.getByLabel('Pictures from').selectOption({ value: 'images' })
  await dialog.getByRole('textbox', { name: /^Path/ }).fill('/etc')
  await dialog.getByRole('button', { name: 'Add it' }).click()
  const refusal = await dialog.getByRole('alert').textContent()
  await dialog.getByLabel('Pictures from').selectOption({ value: 'synthetic' })
  await dialog.getByLabel('Name').fill('Bow camera')
  await dialog.getByText('More to set').click()
  await dialog.getByRole('spinbutton', { name: /^FPS/ }).fill('12')
  await dialog.getByRole('button', { name: 'Add it' }).click()

  await page.getByRole('heading', { name: 'Bow camera', level: 1 }).waitFor()
  assert.match(String(refusal), /\/etc/)
  const { items } = await daemon.get<{ items: { spec: { alias: string; source: { fps: number } } }[] }>('/v1/streams')
  assert.deepEqual(
    items.map(({ spec }) => [spec.alias, spec.source.fps]),
    [['Bow camera', 12]],
  )
})

test('the streams that are chosen are recorded together, and stopped together', async (t) => {
  const { page } = await openPage(t, full.url, { path: '/streams' })
  await full.stream('s2', 'live')
  const isRecording = async (id: string) => (await full.stream(id, 'live')).status.recording !== null

  await page.getByRole('checkbox', { name: 'Choose Camera 1', exact: true }).check()
  await page.getByRole('checkbox', { name: 'Choose Camera 2', exact: true }).check()
  await page.getByRole('button', { name: 'Record 2 streams' }).click()
  for (const name of ['Camera 1 ', 'Camera 2 '])
    await page.getByRole('row', { name: new RegExp(`${name}.*recording \\d`) }).waitFor()
  const both = [await isRecording('s1'), await isRecording('s2')]
  await page.getByRole('button', { name: 'Stop 2 recordings' }).click()
  await page.getByText('stopped 2 streams').waitFor()

  assert.deepEqual(both, [true, true])
  assert.deepEqual([await isRecording('s1'), await isRecording('s2')], [false, false])
})

test('on a phone the list has the columns for which there is room', async (t) => {
  const { page } = await openPage(t, full.url, { path: '/streams', viewport: SIZES.phone })
  await page.getByRole('row', { name: /Camera 16/ }).waitFor()
  const shown = await page.getByRole('columnheader').allTextContents()

  assert.deepEqual(
    shown.filter((name) => ['Name', 'State', 'Mode', 'Pipeline', 'Rate', 'Restarts', 'Recording'].includes(name)),
    ['Name', 'State', 'Rate', 'Recording'],
  )
})

test('the list and its form can be used by everybody, in each look', async (t) => {
  const { page } = await openPage(t, full.url, { path: '/streams' })
  await page.getByRole('row', { name: /Camera 16/ }).waitFor()

  for (const form of [false, true]) {
    if (form) {
      await page.getByRole('button', { name: 'Add a stream' }).click()
      await page.getByRole('dialog').getByLabel('Name').waitFor()
    }
    for (const { name, viewport, colorScheme } of LOOKS) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      assert.deepEqual(await inaccessible(page), [], `${colorScheme} on a ${name}`)
    }
  }
})
