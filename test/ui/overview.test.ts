// The first page as people have it: that of the real service, in a real browser.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inaccessible, openPage, SIZES } from '../support/api/browser.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const small = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const

const withFakeEngines = (t: TestContext): Promise<Daemon> => site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()

test('each stream has a tile with its name and its state', async (t) => {
  const daemon = await withFakeEngines(t)
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  const { page } = await openPage(t, daemon.url)

  const tile = page.getByRole('link', { name: /Front/ })
  await tile.getByText('live', { exact: true }).waitFor()
})

test('a stream that somebody else makes is there without loading again', async (t) => {
  const daemon = await withFakeEngines(t)
  const { page } = await openPage(t, daemon.url)
  await page.getByText('There is no stream yet').waitFor()

  await daemon.addStream({ id: 'front', alias: 'Front', source: small })

  await page.getByRole('heading', { name: 'Front' }).waitFor()
})

test('a page on which nothing happens asks for nothing', async (t) => {
  const daemon = await withFakeEngines(t)
  await daemon.send('POST', '/v1/streams', { id: 'off', alias: 'Off', source: small, enabled: false })
  const { page, requests } = await openPage(t, daemon.url, { prepare: (page) => page.clock.install() })
  await page.getByText('switched off').first().waitFor()
  await until('all answers', requests, ({ open }) => open === 0)
  const before = requests().asked
  assert.ok(before > 0)

  await page.clock.runFor('10:00')
  await until('all answers', requests, ({ open }) => open === 0)

  assert.equal(requests().asked, before)
})

for (const [name, viewport] of Object.entries(SIZES))
  for (const colorScheme of ['light', 'dark'] as const)
    test(`the first page can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
      const daemon = await withFakeEngines(t)
      await daemon.addStream({ id: 'front', alias: 'Front', source: small })
      const { page } = await openPage(t, daemon.url, { viewport, colorScheme })
      await page.getByRole('heading', { name: 'Front' }).waitFor()

      assert.deepEqual(await inaccessible(page), [])
    })
