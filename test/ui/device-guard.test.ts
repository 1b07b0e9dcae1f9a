// What the resource guard does, as people see it: in a real browser, on a made-up device that is too hot.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const shared = site(fileLifetime()).start({ device: 'fake:hot', guard: 'on', engine: 'fake', demo: '1' })
const ROW = '/v1/device/resource-guard'

test('a stream that gives way says so where it stands, and is given everything back by a button', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/guard' })

  await page.getByText('streams give way', { exact: true }).waitFor()
  const stream = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'demo' }) })
  await stream.getByText(/one of \d pictures is processed, since the processor was [\d.]+ °C warm/).waitFor()
  await page.getByRole('navigation', { name: 'Device' }).waitFor()
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  await page.getByRole('link', { name: /1 of \d pictures processed.*: processor \d+ °C/ }).waitFor()
  await page.goto('/streams/demo', { waitUntil: 'domcontentloaded' })
  await page.getByText(/It comes back by itself\./).waitFor()
  await page.getByRole('button', { name: 'Give it all back' }).click()

  await page.getByText(/It comes back by itself\./).waitFor({ state: 'detached' })
  await page.goto('/device/guard', { waitUntil: 'domcontentloaded' })
  await stream.getByText(/^Left alone until/).waitFor()
  await page.getByText('Somebody restored it by hand.').waitFor()
})

test('settings are changed with a revision, refused with a reason, and followed when others change them', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, {
    path: '/device/guard',
    expected: [/400 to PATCH/, /Failed to load resource/],
  })
  const results = page.getByLabel('Results that a stream keeps')

  await results.fill('12')
  await results.press('Enter')
  await page.getByText(/^applied, revision 1$/).waitFor()
  await until(
    'the new value',
    () => results.inputValue(),
    (text) => text === '12',
  )
  await results.fill('0')
  await results.press('Enter')
  await page.getByText(/min_results_per_s/).waitFor()
  assert.equal((await daemon.get<{ settings: { min_results_per_s: number } }>(ROW)).settings.min_results_per_s, 12)

  await daemon.send('PATCH', ROW, { enabled: false })
  await page.getByText('switched off', { exact: true }).waitFor()
  assert.equal(await page.getByLabel('Let streams give way when the device has too little').isChecked(), false)
  await daemon.send('PATCH', ROW, { enabled: true })
  await page.getByText('streams give way', { exact: true }).waitFor()
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the guard can be followed by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const daemon = await shared
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/device/guard' })
    await page.getByRole('heading', { name: 'Last decisions' }).waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
