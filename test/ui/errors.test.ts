// What went wrong, and the work that goes on, as people see it: in a real browser, from a real service.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { Job } from '../../machines/jobs/job.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const WITH_JOBS = fileURLToPath(new URL('../support/processes/job-daemon.ts', import.meta.url))

const { dataDir, start } = site(fileLifetime(), WITH_JOBS)
const shared = start()

/** A stream whose folder is not there: that is an error. */
const addLost = async (id: string): Promise<void> => {
  const daemon = await shared
  const path = join(dataDir, 'none', id)
  const { status, body } = await daemon.send('POST', '/v1/streams', { id, source: { backend: 'images', path } })
  assert.equal(status, 200, JSON.stringify(body))
  await daemon.error('camera.missing', `streams/${id}`)
}
const front = addLost('front')

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('an error is shown with its sentence, leads to its stream, and one that comes now is there at once', async (t) => {
  const daemon = await shared
  await front
  const { page } = await openPage(t, daemon.url, { path: '/errors' })
  await row(page, 'camera.missing')
    .getByText(/none\/front/)
    .waitFor()

  await addLost('rear')
  await row(page, 'streams/rear').waitFor()
  await row(page, 'streams/front').getByRole('link', { name: 'streams/front' }).click()

  assert.equal(new URL(page.url()).pathname, '/streams/front')
})

test('errors are found by words and place, which stand in the address', async (t) => {
  const daemon = await shared
  await front
  const { page } = await openPage(t, daemon.url, { path: '/errors?where=streams' })
  await row(page, 'streams/front').waitFor()

  await page.getByLabel('Find').fill('missing FRONT')
  await until(
    'the address',
    () => new URL(page.url()).search,
    (search) => search === '?where=streams&q=missing+FRONT',
  )
  await page.getByLabel('Find').fill('no such words')
  await page.getByText(/^None of /).waitFor()
  await page.getByRole('link', { name: 'Show all' }).click()

  await row(page, 'streams/front').waitFor()
})

test('the history is saved as a file, and cleared unless that is undone', async (t) => {
  const daemon = await shared
  await front
  const { page } = await openPage(t, daemon.url, { path: '/errors', prepare: (page) => page.clock.install() })
  await row(page, 'streams/front').waitFor()
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Export' }).click()])
  const { errors } = JSON.parse(await readFile(await saved.path(), 'utf8')) as { errors: { resource: string }[] }
  assert.ok(errors.some(({ resource }) => resource === 'streams/front'))

  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('Nothing has gone wrong').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row(page, 'streams/front').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.clock.runFor(6100)

  await until(
    'the history',
    () => daemon.get<{ items: unknown[] }>('/v1/errors'),
    ({ items }) => items.length === 0,
  )
})

test('a job is shown with how far it is, and can be cancelled and forgotten', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/errors?tab=jobs' })
  const items = page.getByRole('tabpanel').getByRole('listitem')
  const running = items.filter({ hasText: 'for the end of the world' })
  assert.equal(await running.getByRole('progressbar').getAttribute('value'), '30')
  await items.getByText('waiting', { exact: true }).waitFor()

  await running.getByRole('button', { name: 'Cancel Wait' }).click()
  await items.getByText('cancelled').waitFor()
  await running.getByRole('progressbar').waitFor() // the other one runs now
  const { items: all } = await daemon.get<{ items: Job[] }>('/v1/jobs')
  await daemon.send('DELETE', `/v1/jobs/${all.find(({ state }) => state === 'running')?.id}`)
  await items.getByText('cancelled').nth(1).waitFor()
  await items.first().getByRole('button', { name: 'Forget Wait' }).click()

  await items.nth(1).waitFor({ state: 'detached' })
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`errors and jobs can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const daemon = await shared
    await daemon.send('DELETE', '/v1/streams/front')
    await addLost('front')
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/errors' })
    await row(page, 'streams/front').waitFor()

    assert.deepEqual(await inaccessible(page), [])
    await page.getByRole('tab', { name: /^Jobs/ }).click()
    await page.getByRole('button', { name: 'Forget Wait' }).waitFor()
    assert.deepEqual(await inaccessible(page), [])
  })
