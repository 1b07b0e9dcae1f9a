// I2C buses as people see them: in a real browser, from a real service on a made-up device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { site } from '../support/processes/daemon.ts'

const lifetime = fileLifetime()
const shared = site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start({ device: 'fake' })

interface Adapter {
  readonly adapter: number
  readonly last_scan: unknown
}

const cardOf = (page: Page, name: string) =>
  page.locator('.card', { has: page.getByRole('heading', { name, exact: true }) })

test('a bus is scanned after a warning, and what answers is named by what it says of itself', async (t) => {
  const daemon = await shared
  const { page, requests } = await openPage(t, daemon.url, { path: '/device/i2c' })
  const card = cardOf(page, 'i2c-1')
  await card.getByRole('row', { name: /0x6a lsm6dso/ }).waitFor()
  await card.getByRole('button', { name: 'Scan i2c-1', exact: true }).click()
  await page.getByText('One byte is read at each address.').waitFor()
  assert.ok(!requests().asked.some((each) => each.startsWith('POST')), 'nothing is asked of a bus before that')

  await page.getByRole('button', { name: 'Scan it', exact: true }).click()

  await card.getByText(/chips found at the scan of/).waitFor()
  await card.getByRole('row', { name: /INA226, current and voltage it says so itself/ }).waitFor()
  await card.getByRole('row', { name: /perhaps an EEPROM a guess by its address/ }).waitFor()
})

test('one of which nothing is known needs another word, and one of a display is never scanned', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/i2c' })
  await cardOf(page, 'i2c-13').getByText('It is never scanned: it leads to a display').waitFor()
  assert.equal(await cardOf(page, 'i2c-13').getByRole('button').count(), 0)

  await page.getByRole('button', { name: 'Scan i2c-10' }).click()
  await page.getByText('Of this bus nothing is known').waitFor()
  await page.getByRole('button', { name: 'Leave it alone' }).click()

  const { adapters } = await daemon.get<{ adapters: readonly Adapter[] }>('/v1/device/i2c')
  assert.equal(adapters.find(({ adapter }) => adapter === 10)?.last_scan, null)
})

test('a bus that a chip holds down says so in words', async (t) => {
  const { url } = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start({ device: 'fake:i2c-stuck' })
  const { page } = await openPage(t, url, { path: '/device/i2c' })
  await page.getByRole('button', { name: 'Scan i2c-1', exact: true }).click()
  await page.getByRole('button', { name: 'Scan it', exact: true }).click()

  await cardOf(page, 'i2c-1').getByText('The scan did not come to its end.').waitFor()
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the buses can be seen by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const daemon = await shared
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/device/i2c' })
    await page.getByRole('row', { name: /lsm6dso st_lsm6dsx/ }).waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
