// The networks of a device as people see them, and a change that is tried: in a real browser, on a made-up device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NetworkView } from '../../api/network/view.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { site } from '../support/processes/daemon.ts'

const { start } = site(fileLifetime(), undefined, { VEDETTE_ENGINE: 'fake', VEDETTE_DEVICE: 'fake' })
const shared = start()
const PATH = '/v1/device/network'
const toStatic = (address: string) => ({ interface: 'eth0', method: 'static', address, prefix: 24 })

test('a change is tried from the page, confirmed by itself, and its outcome is said', async (t) => {
  const daemon = await shared
  await daemon.send('POST', '/v1/device/nt4', { team: 254, target: 'off' })
  const { page } = await openPage(t, daemon.url, {
    path: '/device/network',
    expected: [/400 to POST|answer: 400/, /status of 400/],
  })
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'eth0, cable' }) })
  await card.getByText('10.2.54.37/24').waitFor()
  await card.getByText('Wired connection 1').waitFor()

  await card.getByRole('button', { name: 'Change eth0' }).click()
  await card.getByLabel('fixed').check()
  await card.getByLabel('Address', { exact: true }).fill('10.2.54.2')
  await card.getByRole('button', { name: 'Try it' }).click()
  await card.getByText(/which the robot has by the rules/).waitFor()

  await card.getByRole('button', { name: 'Take 10.2.54.11, by the rules' }).click()
  await card.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('eth0 keeps its new settings, 10.2.54.11.').waitFor()

  await card.getByText('10.2.54.11/24').waitFor()
  const { change, interfaces } = await daemon.get<NetworkView>(PATH)
  assert.equal(change?.outcome?.kept, true)
  assert.equal(interfaces[0]?.profile?.name, 'vedette-static-eth0')
  await page.getByRole('button', { name: 'All right' }).click()
})

test('a change of somebody else is seen with its time, and that it is undone; this page keeps none', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/network' })
  await page.getByRole('heading', { name: 'eth0, cable' }).waitFor()

  await daemon.send('POST', PATH, { ...toStatic('10.2.54.12'), confirm_within_s: 600 })
  await page.getByText(/Else everything is as before in \d+ s/).waitFor()
  await page.getByText('10.2.54.12/24').waitFor()
  const { change } = await daemon.get<NetworkView>(PATH)
  assert.equal(change?.step, 'waiting')
  await daemon.send('DELETE', `/v1/jobs/${change.job_id}`)

  await page.getByText('eth0 is as it was before: the change was cancelled.').waitFor()
})

test('a page that has come to the new address confirms by itself', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/network?confirm=1' })
  await page.getByRole('heading', { name: 'eth0, cable' }).waitFor()

  await daemon.send('POST', PATH, { ...toStatic('10.2.54.13'), confirm_within_s: 600 })

  await page.getByText('eth0 keeps its new settings, 10.2.54.13.').waitFor()
})

test('the page that takes its own address away goes on at the new one, and confirms there', async (t) => {
  const daemon = await shared
  const { interfaces } = await daemon.get<NetworkView>(PATH)
  const { port } = new URL(daemon.url)
  const { page } = await openPage(t, `http://${interfaces[0]?.addresses[0]?.address}:${port}`, {
    path: '/device/network',
  })
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'eth0, cable' }) })

  await card.getByRole('button', { name: 'Change eth0' }).click()
  await card.getByLabel('fixed').check()
  await card.getByLabel('Address', { exact: true }).fill('10.2.54.14')
  await card.getByRole('button', { name: 'Try it' }).click()

  await page.waitForURL(`http://10.2.54.14:${port}/device/network?confirm=1`, { waitUntil: 'domcontentloaded' })
  await page.getByText('eth0 keeps its new settings, 10.2.54.14.').waitFor()
})

test('a page whose device refuses the change stays where it is, and says why', async (t) => {
  const refusing = { VEDETTE_ENGINE: 'fake', VEDETTE_DEVICE: 'fake:network-refuses' }
  const daemon = await site(t, undefined, refusing).start()
  const { interfaces } = await daemon.get<NetworkView>(PATH)
  const { port } = new URL(daemon.url)
  const here = `http://${interfaces[0]?.addresses[0]?.address}:${port}`
  const { page } = await openPage(t, here, { path: '/device/network' })
  const left = page.waitForURL(/10\.2\.54\.14/, { timeout: GONE_BY_MS }).then(
    () => true,
    () => false,
  )
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'eth0, cable' }) })

  await card.getByRole('button', { name: 'Change eth0' }).click()
  await card.getByLabel('fixed').check()
  await card.getByLabel('Address', { exact: true }).fill('10.2.54.14')
  await card.getByRole('button', { name: 'Try it' }).click()
  await page.getByText(/eth0 is as it was before: .*refuses/).waitFor()

  assert.equal(await left, false)
  await page.getByText(/eth0 is as it was before: .*refuses/).waitFor()
})

const GONE_BY_MS = 6_000 // the page would go 2.5 s after its order

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the network can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const daemon = await shared
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/device/network' })
    await page.getByRole('button', { name: 'Change eth0' }).click()
    await page.getByLabel('fixed').check()
    await page.getByText('10.2.54.2', { exact: true }).waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
