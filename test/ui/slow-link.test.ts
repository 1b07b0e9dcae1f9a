// The page over a slow network, as over the radio of a field: it opens, works, and what comes late says so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openPage, UNANSWERED } from '../support/api/browser.ts'
import { nt4Lab } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { slowLink } from '../support/processes/slow-link.ts'
import { until } from '../support/until.ts'

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

/** Its clock is led: what passes in a moment may be longer than a dial is waited for. */
const LED = { prepare: (page: Page) => page.clock.install(), expected: [UNANSWERED] }

test('a device that loses its power is away, though nobody has closed the connection', async (t) => {
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  const link = await slowLink(t, daemon.url, {})
  const { page } = await openPage(t, link.url, LED)
  await page.getByText('No camera is plugged in').waitFor()

  link.cut(true)
  await page.clock.runFor(17_000)
  await page.getByText('This device does not answer').waitFor()
  link.cut(false)
  await page.clock.runFor(17_000)

  await page.getByText('This device does not answer').waitFor({ state: 'detached' })
})

test('a device that answers no dial is dialled anew, though the browser still waits for the one before', async (t) => {
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  const link = await slowLink(t, daemon.url, {})
  const { page } = await openPage(t, link.url, LED)
  await page.getByText('No camera is plugged in').waitFor()
  const dials = () => link.asked.filter((path) => path.startsWith('/v1/events')).length
  const before = dials()

  link.cut(true)

  await until(
    'three dials',
    async () => {
      await page.clock.runFor(17_000)
      return dials() - before
    },
    (count) => count >= 3,
  )
})

test('pictures come again when a device is back that had lost its power', async (t) => {
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  await daemon.addStream({ id: 'front', alias: 'Front', source: front })
  const link = await slowLink(t, daemon.url, {})
  const { page } = await openPage(t, link.url, { path: '/streams/front', ...LED })
  const picture = (name: string) => page.getByRole('img', { name, exact: true })
  await picture('Front').waitFor()

  link.lose()
  await picture('Front: no new picture').waitFor()
  await page.clock.runFor(17_000)
  await page.getByText('This device does not answer').waitFor({ state: 'detached' })

  await picture('Front').waitFor()
})

test('what is found in frames is listened to again when a device is back that had lost its power', async (t) => {
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  await daemon.addStream({ id: 'front', alias: 'Front', source: front })
  const link = await slowLink(t, daemon.url, {})
  const heard = new Set<string>()
  const { page } = await openPage(t, link.url, {
    path: '/field',
    expected: [UNANSWERED],
    prepare: async (page) => {
      page.on('websocket', (socket) => socket.on('framereceived', () => heard.add(new URL(socket.url()).pathname)))
      await page.clock.install()
    },
  })
  const dialled = (count: number) =>
    until(
      `${count} sockets for what is found`,
      () => link.asked.filter((path) => path.startsWith('/v1/results')),
      ({ length }) => length >= count,
    )
  await until('something on both sockets', () => heard.has('/v1/results') && heard.has('/v1/events'))
  const before = link.asked.filter((path) => path.startsWith('/v1/results')).length

  link.lose()
  await page.clock.runFor(17_000)

  await dialled(before + 1)
})

test('topics of the robot are listened to again when a device is back that had lost its power', async (t) => {
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start({ nt4: 'serve:127.0.0.1:0' })
  const robot = await nt4Lab(t).connect(daemon.nt4Port, 'robot')
  const speed = robot.publish('/Speed', 'double')
  robot.write([[speed, 1.5]])
  const link = await slowLink(t, daemon.url, {})
  const { page } = await openPage(t, link.url, { path: '/nt4', ...LED })
  const row = page.getByRole('row').filter({ hasText: 'Speed' })
  await row.getByText('1.5', { exact: true }).waitFor()

  link.lose()
  robot.write([[speed, 2.5]])
  await page.clock.runFor(17_000)

  await row.getByText('2.5', { exact: true }).waitFor()
})

test('a terminal is attached again when a device is back that had lost its power', async (t) => {
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  const link = await slowLink(t, daemon.url, {})
  const { page } = await openPage(t, link.url, { path: '/console', ...LED })
  await page.getByRole('button', { name: 'Open a shell' }).click()
  await page.locator('.xterm-helper-textarea').waitFor()
  const attached = () => link.asked.filter((path) => path.startsWith('/v1/console/sessions/')).length
  await page.locator('.xterm-rows').getByText(/[$#]/).first().waitFor() // of the prompt

  link.lose()
  await page.clock.runFor(17_000)
  await until('a second attachment', attached, (count) => count >= 2)
  await page.getByText('The connection broke.').waitFor({ state: 'detached' })
  await page.keyboard.type('expr 20000 + 345\n')

  await page.locator('.xterm-rows').getByText('20345').waitFor()
})
