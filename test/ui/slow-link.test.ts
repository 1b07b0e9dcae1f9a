// The page over a slow network, as over the radio of a field: it opens, works, and what comes late says so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPage } from '../support/api/browser.ts'
import { site } from '../support/processes/daemon.ts'
import { slowLink } from '../support/processes/slow-link.ts'

const SLOW = { bytesPerS: 60_000, delayMs: 100 } // half a megabit, of which four previews want ten
const front = { backend: 'synthetic', width_px: 640, height_px: 400, fps: 15 } as const

test('over a slow network the page opens, late pictures say so, changes go through, and less can be had', async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'front', alias: 'Front', source: front })
  const link = await slowLink(t, daemon.url, SLOW)
  const { page } = await openPage(t, link.url)
  const tile = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Front' }) })

  await tile.getByText(/^\d+ s old$/).waitFor()
  await tile.getByRole('img', { name: 'Front: comes late' }).waitFor()
  await tile.getByRole('link', { name: 'Ask for less' }).click()
  await page.getByLabel('Small bandwidth').check()
  const before = link.asked.length
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await tile.getByRole('img', { name: 'Front', exact: true }).waitFor()

  const frames = link.asked.slice(before).filter((path) => path.includes('/frames?'))
  assert.deepEqual(frames, ['/v1/streams/front/frames?results=true&outputs=tags&fps=5&max_width=320&quality=50'])
  await daemon.send('PATCH', '/v1/streams/front', { patch: { alias: 'Bow' } })
  await page.getByRole('heading', { name: 'Bow' }).waitFor()
  await page.getByRole('link', { name: 'Bow' }).click()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Stern')
  await page.getByRole('button', { name: 'Set the name' }).click()
  await page.getByText('applied, revision 3').waitFor()
  assert.equal((await daemon.stream('front', 'live')).spec.alias, 'Stern')
  assert.equal(await page.getByText('This device does not answer').count(), 0)
})

test('a device that loses its power is away, though nobody has closed the connection', async (t) => {
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  const link = await slowLink(t, daemon.url, {})
  const { page } = await openPage(t, link.url, { prepare: (page) => page.clock.install() })
  await page.getByText('No camera is plugged in').waitFor()

  link.cut(true)
  await page.clock.runFor(17_000)
  await page.getByText('This device does not answer').waitFor()
  link.cut(false)
  await page.clock.runFor(17_000)

  await page.getByText('This device does not answer').waitFor({ state: 'detached' })
})
