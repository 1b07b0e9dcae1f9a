// The page of updates: a file sent, checked, applied and tried, and why it was given up: in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ROBOT_ENABLED } from '../../actors/nt4/tokens.ts'
import { FakeUpdateBackend } from '../../native/update/fake.ts'
import { noBundles, noUpdates } from '../../native/update/none.ts'
import { BUNDLE_STORE, UPDATE_BACKEND } from '../../native/update/port.ts'
import { value } from '../../supervisors/composition/container.ts'
import { listeningApi } from '../support/api/api.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import type { Lifetime } from '../support/lifetime.ts'
import { until } from '../support/until.ts'

/** A service that can be updated, and its page. */
const updatable = async (t: Lifetime, backend = new FakeUpdateBackend()) => ({
  backend,
  ...(await listeningApi(t, {}, { ports: [value(UPDATE_BACKEND, backend)] })),
})

/** Chooses a file that the fake takes for a bundle. */
const choose = (page: Page, text: string) =>
  page
    .getByLabel('File with the new version')
    .setInputFiles({ name: 'new.vedette', mimeType: 'application/octet-stream', buffer: Buffer.from(text) })

const presentStep = (page: Page) => page.locator('[aria-current=step]').textContent()

test('a device that cannot be updated in this way says why', async (t) => {
  const ports = [value(UPDATE_BACKEND, noUpdates('1.2.3')), value(BUNDLE_STORE, noBundles)]
  const { url } = await listeningApi(t, {}, { ports })
  const { page } = await openPage(t, url, { path: '/update' })

  await page.getByText('started from a checkout').waitFor()
  await page.getByText('1.2.3').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Choose a file' }).count(), 0)
})

test('a chosen file is sent and checked, and is applied at the press of a button', async (t) => {
  const { url, backend } = await updatable(t)
  const { page } = await openPage(t, url, { path: '/update' })
  await page.getByText('nothing under way').waitFor()

  await choose(page, 'vedette 1.5.0')
  await page.getByText('version 1.5.0 is ready').waitFor()
  assert.match((await presentStep(page)) ?? '', /^Ready/)
  await page.getByRole('button', { name: 'Update now' }).click()

  await page.getByText('the new version is being started').waitFor()
  assert.match((await presentStep(page)) ?? '', /^Restart/)
  await until('the restart', () => backend.restarts === 1)
})

test('a link that is away for some seconds does not end what is being sent', async (t) => {
  const { url } = await updatable(t)
  const { page } = await openPage(t, url, { path: '/update', expected: [/ota\/upload\//] })
  await page.getByText('nothing under way').waitFor()
  const lost: string[] = []
  await page.route('**/v1/ota/upload/*', (route) => {
    if (lost.length === 3) return route.continue()
    lost.push(route.request().method())
    return route.abort('internetdisconnected')
  })

  await choose(page, 'vedette 1.5.0')

  await page.getByText('version 1.5.0 is ready').waitFor()
  assert.deepEqual(lost, ['PATCH', 'HEAD', 'HEAD'])
})

test('an update that waits can be cancelled, and offers nothing that would be refused', async (t) => {
  const { url, fake } = await updatable(t)
  fake.resolve(ROBOT_ENABLED).set(true)
  const { page } = await openPage(t, url, { path: '/update' })
  await page.getByText('nothing under way').waitFor()
  await choose(page, 'vedette 1.5.0')
  await page.getByRole('button', { name: 'Update when the device is idle' }).click()

  await page.getByText('Waits for: the robot is enabled').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Update now' }).count(), 0)
  await page.getByRole('button', { name: 'Cancel the update' }).click()

  await page.getByRole('button', { name: 'Update now' }).waitFor()
})

test('what another client orders is shown, and is cancelled here', async (t) => {
  const { url } = await updatable(t)
  const { page } = await openPage(t, url, { path: '/update' })
  await page.getByText('nothing under way').waitFor()

  await fetch(`${url}/v1/ota/upload`, {
    method: 'POST',
    body: 'vedette 1.6.0',
    headers: { 'content-type': 'application/octet-stream' },
  })
  await page.getByText('version 1.6.0 is ready').waitFor()
  await page.getByRole('button', { name: 'Cancel the update' }).click()

  await page.getByText('nothing under way').waitFor()
})

test('a file that is no bundle is refused, with the sentence of the device and the step where it ended', async (t) => {
  const { url } = await updatable(t)
  const { page } = await openPage(t, url, { path: '/update' })
  await page.getByText('nothing under way').waitFor()

  await choose(page, 'a letter')

  const reason = page.getByRole('region', { name: 'Why the update failed' })
  await reason.getByText('no bundle of this service').waitFor()
  await reason.getByText('update.refused').waitFor()
  assert.match((await presentStep(page)) ?? '', /^Check/)
})

test('an older version than is allowed is installed only when somebody says so', async (t) => {
  const backend = new FakeUpdateBackend()
  backend.known = { ...backend.known, floor: '1.4.0' }
  const { url } = await updatable(t, backend)
  const { page } = await openPage(t, url, {
    path: '/update',
    expected: [/answer: 400 to POST .*\/ota\/apply/, /status of 400/],
  })
  await page.getByText('nothing under way').waitFor()
  await choose(page, 'vedette 1.1.0')
  await page.getByRole('button', { name: 'Update now' }).click()

  await page.getByRole('button', { name: 'Install the older version all the same' }).click()

  await page.getByText('the new version is being started').waitFor()
})

test('a version that was given up is named, with its reason and what was written while it ran', async (t) => {
  const backend = new FakeUpdateBackend()
  const failed = {
    version: '1.5.0-0123456789ab',
    reason: 'it did not become ready within 20 s',
    at_ms: 1_767_225_600_000,
    exits: ['killed by SIGABRT', 'killed by SIGABRT'],
    left_behind: ['streams/front'],
  }
  backend.known = { ...backend.known, failed }
  const { url } = await updatable(t, backend)
  const { page } = await openPage(t, url, { path: '/update' })

  const reason = page.getByRole('region', { name: 'Why the new version was given up' })
  await reason.getByText('it did not become ready within 20 s').waitFor()
  await reason.getByText('streams/front').waitFor()
})

test('the page can be used by everybody, in both colours and on a phone', async (t) => {
  const { url } = await updatable(t)
  for (const { name, viewport, colorScheme } of LOOKS) {
    const { page } = await openPage(t, url, { path: '/update', viewport, colorScheme })
    await page.getByRole('heading', { name: 'Update', level: 1 }).waitFor()
    await page.getByRole('list', { name: 'Steps of the update' }).waitFor()
    assert.deepEqual(await inaccessible(page), [], `${name}, ${colorScheme}`)
  }
})
