// How a browser shows the device, and a backup of what people have set: in a real browser, from a real service.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { StreamView } from '../../api/stream/wire.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const { start } = site(fileLifetime(), undefined, { VEDETTE_ENGINE: 'fake' })
const shared = start()

const graph = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'tags', type: 'apriltag' },
  ],
  edges: [{ from: 'source.image', to: 'tags.image' }],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
}
const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
const pose = { x_m: 0.2, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }

/** Has a stream that runs a stored pipeline, and a team. */
const filled = shared.then(async (daemon) => {
  await daemon.send('POST', '/v1/pipelines/graphs', { id: 'near', name: 'Near', ...graph })
  await daemon.addStream({ id: 'front', alias: 'Front', source, pose, slots: [{ slot: 1, graph_id: 'near' }] })
  await daemon.send('POST', '/v1/streams/front/pipeline/graph', { slot: 1 })
  await daemon.send('POST', '/v1/device/team', { team: 1234 })
  return daemon
})

const colourScheme = (page: Page) =>
  page.evaluate('getComputedStyle(document.documentElement).colorScheme') as Promise<string>

test('a look that is chosen stays, whatever the system says', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/settings', colorScheme: 'light' })
  assert.equal(await colourScheme(page), 'light dark')

  await page.getByLabel('Dark').check()
  await page.getByLabel('Small bandwidth').check()
  assert.equal(await colourScheme(page), 'dark')
  await page.reload()

  assert.ok(await page.getByLabel('Dark').isChecked())
  assert.ok(await page.getByLabel('Small bandwidth').isChecked())
  assert.equal(await colourScheme(page), 'dark')
  await page.getByLabel('As the system').check()
  assert.equal(await colourScheme(page), 'light dark')
})

test('the address of the page is there as a code, and who may do what in words', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/settings' })

  await page.getByRole('img', { name: `QR code of ${daemon.url}/` }).waitFor()
  await page.getByText('Nobody has to sign in.').waitFor()
})

test('a backup holds what people have set, and nothing that is secret', async (t) => {
  const daemon = await filled
  const { page } = await openPage(t, daemon.url, { path: '/settings' })

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save a backup' }).click(),
  ])

  const text = await readFile(await saved.path(), 'utf8')
  const { items } = JSON.parse(text) as { items: { kind: string; id: string; document: Record<string, unknown> }[] }
  assert.deepEqual(
    items.map(({ kind, id }) => `${kind} ${id}`),
    ['pipeline near', 'stream front', 'robot ', 'nt4 '],
  )
  assert.deepEqual(items[1]?.document.pose, pose)
  assert.doesNotMatch(text, /token|secret|PRIVATE KEY/i)
})

test('a backup is shown item by item on another device, and what is ticked is restored there', async (t) => {
  const other = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  const { page } = await openPage(t, (await filled).url, { path: '/settings' })
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save a backup' }).click(),
  ])
  const backup = JSON.parse(await readFile(await saved.path(), 'utf8')) as { items: unknown[] }
  backup.items.push({ kind: 'stream', id: 'broken', document: { source: { backend: 'none' } } })
  backup.items.push({ kind: 'weather', id: '', document: {} })
  const { page: there } = await openPage(t, other.url, {
    path: '/settings',
    expected: [/422 to POST/, /Failed to load resource/],
  })
  const row = (name: string) => there.getByRole('listitem').filter({ hasText: name })
  const file = { name: 'backup.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(backup)) }

  await there.getByLabel('Backup to restore').setInputFiles(file)
  await row('Stream front').getByText('new', { exact: true }).waitFor()
  await row('Dimensions of the robot').getByText('same', { exact: true }).waitFor()
  await row('Link to the robot').getByText('differs in').waitFor()
  await row('weather').getByText('This device does not know what this is.').waitFor()
  await there.getByRole('button', { name: 'Restore 4 items' }).click()
  await row('Stream front').getByText('applied').waitFor()
  await row('Stream broken').getByText('/source').first().waitFor()
  await row('Link to the robot').getByText('applied').waitFor()

  const { spec } = await other.stream('front', 'live')
  assert.deepEqual(spec, (await (await filled).get<StreamView>('/v1/streams/front')).spec)
  assert.equal((await other.get<{ team: number }>('/v1/device/team')).team, 1234)
  await other.send('PATCH', '/v1/streams/front', { patch: { alias: 'Bow', pose: { z_m: 1 } } })
  await there.getByLabel('Backup to restore').setInputFiles(file)
  await row('Stream front').getByText('differs in alias, pose').waitFor()
  await there.getByRole('button', { name: /^Restore/ }).click()
  await row('Stream front').getByText('applied').waitFor()
  await until(
    'the stream as it was',
    () => other.get<StreamView>('/v1/streams/front'),
    ({ spec: { alias, pose: now } }) => alias === 'Front' && now?.z_m === pose.z_m,
  )
})

test('what is no backup says so', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/settings' })
  const choose = (text: string) =>
    page
      .getByLabel('Backup to restore')
      .setInputFiles([{ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(text) }])

  await choose('{')
  await page.getByText('This file is no JSON.').waitFor()
  await choose('{"items": []}')
  await page.getByText('This file is no backup of a device.').waitFor()
  await choose('{"format": "vedette-backup", "format_version": 7, "items": []}')
  await page.getByText('This backup has format 7').waitFor()
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the settings can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const daemon = await shared
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/settings' })
    await page.getByText('Nobody has to sign in.').waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
