// The logs of a device as people see them: in a real browser, from a real service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { site } from '../support/processes/daemon.ts'
import { slowLink } from '../support/processes/slow-link.ts'
import { until } from '../support/until.ts'

const { start } = site(fileLifetime(), undefined, { VEDETTE_ENGINE: 'fake' })
const shared = start({ device: 'fake:no-journal', log: 'json:debug' })

const gone = { id: 'gone', source: { backend: 'synthetic' } } as const

test('lines come without loading again; paused they stand still, and are found by a word', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/logs' })
  const lines = page.getByRole('region', { name: 'Lines' })
  await lines.getByText(/Vedette .* is ready/).waitFor()

  await daemon.send('POST', '/v1/streams', gone)
  await lines
    .getByText(/streams\/gone/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText(/^Paused\./).waitFor()
  await page.getByLabel('Find').fill('streams/gone')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await lines.getByText(/is ready/).waitFor({ state: 'detached' })
  await daemon.send('DELETE', '/v1/streams/gone')

  assert.match(page.url(), /q=streams/)
  await lines.getByRole('listitem').first().waitFor()
})

test('a log that is not there says why, and a download has a name', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/logs?source=journal' })

  await page.getByText(/this system keeps no journal/).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'All of it' }).click(),
  ])

  assert.equal(download.suggestedFilename(), 'vedette-journal.log.gz')
})

test('a log that ended is asked for again by itself', async (t) => {
  const daemon = await shared
  const link = await slowLink(t, daemon.url, {})

  const { page } = await openPage(t, link.url, { path: '/device/logs?source=journal' })

  const dialled = () => link.asked.filter((path) => path.startsWith('/v1/device/logs/follow')).length
  await until('a third connection', dialled, (count) => count >= 3)
  await page.getByText(/this system keeps no journal/).waitFor()
})

test('how much a part says is changed, and shown when another one changes it', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/logs' })
  const all = page.getByLabel('All parts')

  await all.selectOption('debug')
  await page.getByText(/applied, revision \d+/).waitFor()
  await daemon.send('PATCH', '/v1/device/logs/sources', { level: 'warn' })
  await page.waitForFunction(
    () => document.querySelector<HTMLSelectElement>('.device-logs select[id]')?.value === 'warn',
  )
  await daemon.send('PATCH', '/v1/device/logs/sources', { level: null })
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the logs can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const daemon = await shared
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/device/logs' })
    await page.getByText(/is ready/).waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
