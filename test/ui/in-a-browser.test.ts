// The page as people have it: that of the real service, in a real browser. Whatever goes wrong in the browser is a
// failure.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { oneLine } from '../../machines/schema/one-line.ts'
import { openPage, rasterOf } from '../support/api/browser.ts'
import { site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { until } from '../support/until.ts'

const STREAMS = 8 // browsers keep six connections to one host
const small = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const

const textOf = (page: Page, selector: string) => page.locator(selector).first().textContent()

/** Waits until a text on the page is as wanted. */
const reads = (page: Page, selector: string, wanted: RegExp) =>
  until(
    `${selector} like ${wanted}`,
    () => textOf(page, selector),
    (text) => wanted.test(text ?? ''),
  )

/** Waits until an image shows something else than before, and returns that. */
const changed = (page: Page, selector: string, before: readonly number[] | undefined) =>
  until(
    `another picture in ${selector}`,
    () => rasterOf(page, selector),
    (now) => now !== undefined && JSON.stringify(now) !== JSON.stringify(before),
  )

/** The demo of `npm start`, and its page. */
const demo = async (t: TestContext) => {
  const daemon = await site(t).start({ demo: '1', nt4: 'serve:127.0.0.1:0' })
  return { daemon, ...(await openPage(t, `${daemon.url}/`)) }
}

test('whoever opens the page of the demo sees its picture move and where the robot is', async (t) => {
  const { page, complaints } = await demo(t)

  await reads(page, '#service', /^service ok$/)
  await reads(page, '#link', /NT 4\.1/)
  const first = await changed(page, '.stream .preview', undefined)
  await changed(page, '.stream .preview', first)
  await reads(page, '[data-fact=tags]', /^\d+ \(\d+/)
  const x = await reads(page, '[data-fact=x]', /^-?\d+\.\d\d m$/)
  await until(
    'another pose',
    () => textOf(page, '[data-fact=x]'),
    (now) => / m$/.test(now ?? '') && now !== x,
  )

  assert.deepEqual(complaints, [])
})

test('what the service refuses is told on the page in words', async (t) => {
  const { page, complaints } = await demo(t)
  await page.getByPlaceholder('https://10.12.34.11:5801').fill('the other one')

  await page.getByRole('button', { name: 'Call it' }).click()

  await reads(page, '#pairing [role=alert]', /the other one|base_url/)
  const refused = oneLine`
    error in the console: Failed to load resource: the server responded with a status of 400 (Bad Request)
  `
  assert.deepEqual(
    complaints.map((each) => each.replace(/ \(http.*/, '')),
    [refused],
    'browsers complain of each refusal themselves',
  )
})

test('more streams than browsers keep connections are all shown, and orders get through', async (t) => {
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  const ids = Array.from({ length: STREAMS }, (_, n) => `s${n}`)
  for (const id of ids) await daemon.addStream({ id, alias: id, source: small })
  const { page, complaints } = await openPage(t, `${daemon.url}/`)
  await page.setViewportSize({ width: 1280, height: 4000 }) // all are in view

  for (const [n] of ids.entries()) {
    const preview = `.stream:nth-of-type(${n + 1}) .preview`
    await until(`a picture of the stream ${n}`, () => rasterOf(page, preview))
  }
  await page.getByRole('button', { name: 'Keep this picture' }).last().click()
  await reads(page, '.stream:last-of-type .answer', /kept/)

  assert.deepEqual(complaints, [])
})

test('a fault of the page itself is told, and ends nothing', async (t) => {
  const { page, complaints } = await demo(t)
  await reads(page, '.stream .state', /live/)

  await page.route('**/v1/streams', (route) => route.fulfill({ json: { items: 'none' } }))
  await reads(page, '#notice', /A part of this page has failed/)
  await page.unroute('**/v1/streams')

  await until(
    'the end of the notice',
    () => textOf(page, '#notice'),
    (text) => text === '',
  )
  assert.ok(complaints.length > 0)
})

test('the page goes on by itself when the service has been away', async (t) => {
  const place = site(t)
  const http = `127.0.0.1:${await freePort()}`
  const daemon = await place.start({ http, demo: '1' })
  const { page } = await openPage(t, `${daemon.url}/`)
  const first = await changed(page, '.stream .preview', undefined)

  await daemon.end('SIGKILL')
  await reads(page, '#notice', /Waiting for the service/)
  await place.start({ http })
  await reads(page, '#service', /^service ok$/)

  await changed(page, '.stream .preview', first)
})

test('a page on which nothing happens asks for little', async (t) => {
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  await daemon.send('POST', '/v1/streams', { id: 'off', source: small, enabled: false })
  const { page, requests } = await openPage(t, `${daemon.url}/`, (page) => page.clock.install())
  await reads(page, '.stream .state', /disabled/)
  const before = requests().asked

  for (let second = 0; second < 60; second += 1) {
    await page.clock.runFor(1000)
    await until('all answers', requests, ({ open }) => open === 0)
  }

  const asked = requests().asked - before
  assert.ok(asked >= 20 && asked < 100, `${asked} requests in a minute`)
})
