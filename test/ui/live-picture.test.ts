// Live pictures in a real browser: what is drawn, when they come and when they do not.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { WebSocket } from 'ws'
import { openPage } from '../support/api/browser.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { arrival, until } from '../support/until.ts'

const small = { backend: 'synthetic', width_px: 640, height_px: 400, fps: 5 } as const
const FAKE = { VEDETTE_ENGINE: 'fake' } as const

const GONE = /WebSocket connection|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|failed: GET/

const front = async (t: TestContext): Promise<Daemon> => {
  const daemon = await site(t, undefined, FAKE).start()
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  return daemon
}

const viewers = (daemon: Daemon, count: number) =>
  until(
    `${count} viewers`,
    () => daemon.metrics('front'),
    (now) => now.viewers === count,
  )

const live = (page: Page) => page.getByRole('img', { name: 'Front', exact: true })

/** How many pixels of the picture on the screen have the colour of the outlines of tags. */
const markedPixels = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const shown = document.querySelector('.live-picture canvas')
    const copy = new OffscreenCanvas(shown.width, shown.height).getContext('2d')
    copy.drawImage(shown, 0, 0)
    const { data } = copy.getImageData(0, 0, shown.width, shown.height)
    let count = 0
    for (let at = 0; at < data.length; at += 4)
      if (Math.hypot(data[at] - 53, data[at + 1] - 224, data[at + 2] - 161) < 12) count += 1
    return count
  })()`)

test('a picture is drawn with the outlines of the tags that were found in it', async (t) => {
  const daemon = await site(t).start()
  // a robot that drives past tags
  await daemon.addStream({ id: 'front', alias: 'Front', source: { ...small, seed: 5 } })
  const { page } = await openPage(t, daemon.url)
  await live(page).waitFor()

  await until(
    'outlines',
    () => markedPixels(page),
    (count) => count > 50,
  )
})

/** Has the tab hidden by another one, or in front again. */
const hide = (page: Page, isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'))`)

test('nothing is sent while nobody sees a picture: the tab is hidden, or another room is open', async (t) => {
  const daemon = await front(t)
  const { page } = await openPage(t, daemon.url)
  await live(page).waitFor()
  await viewers(daemon, 1)

  await hide(page, true)
  await viewers(daemon, 0)
  await hide(page, false)
  await viewers(daemon, 1)

  await page.getByRole('link', { name: 'Settings' }).first().click()
  await viewers(daemon, 0)
  await page.locator('.live-picture canvas').waitFor({ state: 'detached' })
})

test('a tab that is hidden again and again asks for nothing meanwhile, and does not grow', async (t) => {
  const daemon = await front(t)
  const sockets = new Set<unknown>()
  const { page, requests } = await openPage(t, daemon.url, {
    prepare: async (page) => {
      page.on('websocket', (socket) => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
      })
    },
  })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  const sizes = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    const { metrics } = await cdp.send('Performance.getMetrics')
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
    return { nodes: of('Nodes'), listeners: of('JSEventListeners') }
  }
  const turn = async () => {
    await hide(page, true)
    await viewers(daemon, 0)
    const { asked } = requests()
    await hide(page, false)
    await viewers(daemon, 1)
    await live(page).waitFor()
    return requests().asked.length - asked.length
  }
  await live(page).waitFor()
  await turn()
  const before = await sizes()
  const open = sockets.size

  const asked: number[] = []
  while (asked.length < 12) asked.push(await turn())

  const after = await sizes()
  t.diagnostic(JSON.stringify({ before, after, asked, open, sockets: sockets.size }))
  assert.ok(sockets.size <= open + 1, `${sockets.size} sockets, ${open} before`) // one may be on its way out
  assert.ok(after.listeners <= before.listeners + 4, `${after.listeners} listeners, ${before.listeners} before`)
  assert.ok(after.nodes <= before.nodes + 50, `${after.nodes} nodes, ${before.nodes} before`)
  assert.ok(Math.max(...asked) === 0, `${asked} requests`)
})

test('an old picture says so, and is live again by itself when the service is back', async (t) => {
  const place = site(t, undefined, FAKE)
  const first = await place.start()
  await first.addStream({ id: 'front', alias: 'Front', source: small })
  const { page } = await openPage(t, first.url, { expected: [GONE] })
  await live(page).waitFor()

  await first.end('SIGKILL')
  await page.getByText(/^No new picture for \d+ s$/).waitFor()
  await page.getByRole('img', { name: 'Front: no new picture' }).waitFor()

  await place.start({ http: new URL(first.url).host })
  await live(page).waitFor()
  await page.getByText(/^No new picture/).waitFor({ state: 'detached' })
})

test('a picture for which there is no room says why, and comes when there is', async (t) => {
  const daemon = await front(t)
  const url = `${daemon.url.replace('http', 'ws')}/v1/streams/front/frames?fps=0.1`
  const others = Array.from({ length: 64 }, () => new WebSocket(url))
  t.after(() => others.map((socket) => socket.terminate()))
  await Promise.all(others.map((socket) => arrival('a viewer', new Promise((resolve) => socket.once('open', resolve)))))
  const { page } = await openPage(t, daemon.url, { expected: [/WebSocket connection|503|429|409/] })

  await page.getByText(/64 previews and recordings are being watched; close one first/).waitFor()
  others[0]?.terminate() // the robot on the field beside it takes no place

  await live(page).waitFor()
})
