// Ten thousand stored pictures: the gallery has no more on the page than with some hundred.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openPage } from '../support/api/browser.ts'
import { IS_LONG } from '../support/long.ts'
import { storeManyMedia } from '../support/media/many-media.ts'
import { grayPng } from '../support/media/png.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const COUNT = 10_000
const A_PAGE = 120
const LIMIT_MS = 600_000 // for 84 pages, one after the other
const REST_REQUESTS = 20 // what opens the page, and what a change is told with

const nameOf = (n: number): string => `kept-${String(n).padStart(5, '0')}.png`

const countElements = (page: Page): Promise<number> => page.evaluate('document.querySelectorAll("*").length')

/** Down to the end of what is there by now. */
const goDown = (page: Page): Promise<unknown> => page.evaluate('scrollTo(0, document.body.scrollHeight)')

test('ten thousand media are gone through to the last, with no more on the page than with some hundred', {
  skip: !IS_LONG && 'it goes through 84 pages: npm run test:long',
}, async (t) => {
  const place = site(t, undefined, { VEDETTE_ENGINE: 'fake' })
  const bytes = grayPng(64, 48, (x, y) => x + y)
  const image = { media_type: 'image/png', width_px: 64, height_px: 48, stream_id: null } as const
  await storeManyMedia(place.dataDir, COUNT, (n) => ({ item: { ...image, name: nameOf(n) }, bytes }))
  const daemon = await place.start()
  let pictures = 0
  const { page, requests } = await openPage(t, daemon.url, {
    path: '/media',
    prepare: async (page) => {
      await page.addInitScript('localStorage.setItem("vedette.preferences", \'{"isBandwidthSmall":true}\')')
      page.on('request', (request) => {
        if (request.resourceType() === 'image' && request.url().includes('/v1/')) pictures += 1
      })
    },
  })
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await link(nameOf(COUNT - 1)).waitFor()
  const first = await countElements(page)

  let most = first
  const seeOldest = async () => {
    await goDown(page)
    most = Math.max(most, await countElements(page))
    return link(nameOf(0)).count()
  }
  await until('the oldest one', seeOldest, Boolean, LIMIT_MS)

  const asked = requests().asked.length
  t.diagnostic(`${first} elements with a page, at most ${most}; ${asked} requests, ${pictures} of pictures`)
  assert.ok(most < 5 * first, `${most} elements, ${first} with one page of items`)
  assert.ok(asked <= COUNT / A_PAGE + REST_REQUESTS, `${asked} requests`)
  assert.equal(pictures, 0)

  await daemon.send('DELETE', `/v1/media/${nameOf(0)}`)
  await link(nameOf(0)).waitFor({ state: 'detached' })
  await page.evaluate('scrollTo(0, 0)')
  await link(nameOf(COUNT - 1)).waitFor()
})
