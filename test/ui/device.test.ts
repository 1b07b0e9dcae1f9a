// How a device is and what it is called, as people see it: in a real browser, from a real service.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { site } from '../support/processes/daemon.ts'

const { dataDir, start } = site(fileLifetime())
const shared = start()

/** The parts for which the page has no words but the name that the service gives them. */
const namelessParts = async (page: Page) => {
  const names = await page
    .getByRole('rowheader')
    .evaluateAll((cells) => cells.map(({ firstChild }) => firstChild?.textContent))
  return names.filter((name) => name === undefined || /^[a-z0-9-]+$/.test(String(name)))
}

test('the parts of the service are listed, and one that fails says so without loading again', async (t) => {
  const daemon = await shared
  const { version } = await daemon.get<{ version: string }>('/v1/health')
  const { page } = await openPage(t, daemon.url, { path: '/device' })
  await page.getByText(version, { exact: true }).waitFor()
  await page.getByRole('row', { name: /^This page and the API http works/ }).waitFor()
  await page.getByRole('row', { name: /^Link to the robot nt4-link switched off/ }).waitFor()
  assert.deepEqual(await namelessParts(page), [], 'parts with none but their own name')
  await page.getByText('all parts are well').waitFor()

  const path = join(dataDir, 'none')
  await daemon.send('POST', '/v1/streams', { id: 'front', source: { backend: 'images', path } })

  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Stream front' }) })
  await row.getByText(/none/).waitFor()
  await page.getByText('1 part in trouble').waitFor()
  await daemon.send('DELETE', '/v1/streams/front')
  await page.getByText('all parts are well').waitFor()
})

test('another name is asked about, and one that is refused says why', async (t) => {
  const daemon = await shared
  const { hostname } = await daemon.get<{ hostname: string }>('/v1/device/hostname')
  const { page } = await openPage(t, daemon.url, {
    path: '/device',
    expected: [/422 to POST|400 to POST/, /Failed to load resource/],
  })
  const name = page.getByLabel('Name of the device')
  await name.and(page.locator(`[value="${hostname}"]`)).waitFor()

  await name.fill('localhost')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByText('The address of this page stays as it is.').waitFor()
  await page.getByRole('button', { name: 'Change the name' }).click()

  await page.getByText('every device calls itself localhost; choose another name').waitFor()
  assert.equal((await daemon.get<{ hostname: string }>('/v1/device/hostname')).hostname, hostname)
})

test('who came by a name that has changed can change it back', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device?was=front-camera' })

  await page.getByRole('button', { name: 'Call it front-camera again' }).click()

  await page.getByRole('heading', { name: 'Call it front-camera?' }).waitFor()
  await page.getByRole('button', { name: 'Leave it', exact: true }).click()
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the device can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const daemon = await shared
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/device' })
    await page.getByRole('row', { name: /^This page and the API http works/ }).waitFor()
    await page.getByRole('row', { name: /^Link to the robot nt4-link switched off/ }).waitFor()
    assert.deepEqual(await namelessParts(page), [], 'parts with none but their own name')

    assert.deepEqual(await inaccessible(page), [])
  })
