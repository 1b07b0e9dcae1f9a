// What the page has of the rule that a change anywhere is on it within one event cycle: changes that are made on
// another device by HTTP, until their text stands on the page of the device that knows it, against the arrival of the
// event at a bare client beside it. And what an open page costs the device: CPU of the control process, requests.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import WebSocket from 'ws'
import { blankPage, startBrowser } from '../lab/browser.ts'
import { addStream, type Daemon, getJson, startDaemon } from '../lab/daemon.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { quantile, type Row, spread } from '../lab/row.ts'
import { usedPerSecond } from '../lab/usage.ts'

const CHANGES = 100
const CHANGE_LIMIT_MS = 10_000
const LINK_LIMIT_MS = 60_000
const SMALL = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5, motion: 'still' } as const
const STREAM = { backend: 'synthetic', width_px: 640, height_px: 400, fps: 15 } as const
const STREAMS = 4
const ROUNDS = Number(process.env.PAGE_ROUNDS ?? 5)
const ROUND_MS = 10_000
const SETTLE_MS = 5_000

/** Notes when the name of a stream is painted, by the clock of the machine. */
const NOTE_NAMES = `
const seen = new Set()
new MutationObserver(() => {
  for (const { textContent } of document.querySelectorAll('main article h3')) {
    if (seen.has(textContent)) continue
    seen.add(textContent)
    requestAnimationFrame(() => window.noteName(textContent, performance.timeOrigin + performance.now()))
  }
}).observe(document, { childList: true, characterData: true, subtree: true })`

const nowMs = (): number => performance.timeOrigin + performance.now()

interface EventMessage {
  readonly kind: string
  readonly resource_ref?: { readonly peer_id?: string }
}

/** A client of the events that does nothing but note when they come. */
const bareClient = async (lab: Lab, { url }: Daemon) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/events`)
  lab.defer(() => socket.terminate())
  const heard: { readonly kind: string; readonly atMs: number }[] = []
  socket.on('message', (data) => {
    const atMs = nowMs()
    const { kind, resource_ref } = JSON.parse(String(data)) as EventMessage
    if (resource_ref?.peer_id === 'back') heard.push({ kind, atMs })
  })
  await new Promise((resolve) => socket.once('open', resolve))
  return heard
}

const rename = async ({ url }: Daemon, alias: string): Promise<void> => {
  const response = await fetch(`${url}/v1/streams/tower`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ patch: { alias } }),
  })
  if (!response.ok) throw new Error(await response.text())
}

const linkOf = async (front: Daemon, back: Daemon): Promise<void> => {
  const made = await fetch(`${front.url}/v1/peers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ base_url: back.url, name: 'back' }),
  })
  if (!made.ok) throw new Error(await made.text())
  const endMs = performance.now() + LINK_LIMIT_MS
  for (;;) {
    const peer = await getJson<{ status: string; streams: readonly unknown[] }>(`${front.url}/v1/peers/back`)
    if (peer.status === 'linked' && peer.streams.length > 0) return
    if (performance.now() > endMs) throw new Error(`no link in ${LINK_LIMIT_MS} ms`)
    await delay(100)
  }
}

/** A change: how long after the news of it, and after the event that has it with it, it stood on the page. */
interface Change {
  readonly afterNewsMs: number
  readonly afterInventoryMs: number
}

const changes = async (lab: Lab, browser: Browser): Promise<readonly Row[]> => {
  const [back, front] = await Promise.all(
    ['back', 'front'].map((name) => startDaemon(lab, { dataDir: join(lab.folder, name), nt4: 'off' })),
  )
  if (!back || !front) throw new Error('two devices were asked for')
  await addStream(back, { id: 'tower', alias: 'Tower', source: SMALL })
  await linkOf(front, back)
  const heard = await bareClient(lab, front)
  const { page } = await blankPage(browser)
  const noted = new Map<string, (atMs: number) => void>()
  await page.exposeFunction('noteName', (name: string, atMs: number) => noted.get(name)?.(atMs))
  await page.addInitScript(NOTE_NAMES)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.goto(`${front.url}/peers/back`)
  await page.locator('main article h3').first().waitFor()

  const found: Change[] = []
  for (let n = 0; n < CHANGES; n += 1) {
    const name = `Change ${n}`
    heard.length = 0
    const stands = new Promise<number>((resolve) => noted.set(name, resolve))
    await rename(back, name)
    const standsMs = await Promise.race([stands, delay(CHANGE_LIMIT_MS, undefined, { ref: false })])
    const of = (kind: string) => heard.find((event) => event.kind === kind)?.atMs
    const [newsMs, inventoryMs] = [of('stream_changed'), of('peer_inventory')]
    if (standsMs !== undefined && newsMs !== undefined)
      found.push({ afterNewsMs: standsMs - newsMs, afterInventoryMs: standsMs - (inventoryMs ?? Number.NaN) })
    else lab.say(`change ${n}: ${standsMs === undefined ? 'not on the page' : 'no event'} after ${CHANGE_LIMIT_MS} ms`)
    await delay(20 + 60 * Math.random()) // not in step with anything
  }
  await page.context().close()
  for (const daemon of [back, front]) await daemon.stop()
  if (loads !== 1) throw new Error(`the page was loaded ${loads} times`)
  return rowsOf(found)
}

const rowsOf = (found: readonly Change[]): readonly Row[] => {
  const from = `${found.length} changes`
  const ofAll = (values: readonly number[], q: number) => ({
    measured: quantile(values, q),
    low: Math.min(...values),
    high: Math.max(...values),
  })
  const news = found.map(({ afterNewsMs }) => afterNewsMs)
  const inventory = found.map(({ afterInventoryMs }) => afterInventoryMs).filter(Number.isFinite)
  const count = found.length
  return [
    {
      what: 'changes on another device that stand on the page without loading again',
      unit: '',
      figure: { atLeast: CHANGES },
      measured: count,
      low: count,
      high: count,
      from: `of ${CHANGES}`,
    },
    {
      what: 'until the text stands there, after the event at a bare client, p95',
      unit: 'ms',
      figure: { atMost: 100 },
      ...ofAll(news, 0.95),
      from,
    },
    { what: '  p50', unit: 'ms', ...ofAll(news, 0.5), from },
    { what: '  after the event that brings it along, p95', unit: 'ms', ...ofAll(inventory, 0.95), from },
    { what: '  p50', unit: 'ms', ...ofAll(inventory, 0.5), from },
  ]
}

/** The overview with its pictures, and how often it asks the interface for something. */
const openOverview = async (browser: Browser, url: string) => {
  const { page } = await blankPage(browser)
  let asked = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/v1/') && request.resourceType() !== 'websocket') asked += 1
  })
  await page.goto(`${url}/`, { waitUntil: 'domcontentloaded' })
  await page
    .locator('main article h2')
    .nth(STREAMS - 1)
    .waitFor()
  await allPicturesLive(page)
  return { page, asked: () => asked }
}

const allPicturesLive = async (page: Page): Promise<void> => {
  await page
    .locator('main article canvas')
    .nth(STREAMS - 1)
    .waitFor()
}

interface Turn {
  readonly allUs: number
  readonly closedUs: number
  readonly openUs: number
  readonly requests: number
}

const cost = async (lab: Lab, browser: Browser): Promise<readonly Row[]> => {
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'alone'), nt4: 'off' })
  await delay(SETTLE_MS)
  const idle = await usedPerSecond(daemon.pid, () => delay(ROUND_MS))
  for (let n = 0; n < STREAMS; n += 1) await addStream(daemon, { id: `s${n}`, alias: `Stream ${n}`, source: STREAM })
  await delay(SETTLE_MS)
  const turns: Turn[] = []
  while (turns.length < ROUNDS) {
    const closed = await usedPerSecond(daemon.pid, () => delay(ROUND_MS))
    const { page, asked } = await openOverview(browser, daemon.url)
    await delay(SETTLE_MS)
    const before = asked()
    const open = await usedPerSecond(daemon.pid, () => delay(ROUND_MS))
    const requests = ((asked() - before) * 60_000) / ROUND_MS
    await page.context().close()
    await delay(SETTLE_MS)
    turns.push({ allUs: closed.allUs - idle.allUs, closedUs: closed.firstUs, openUs: open.firstUs, requests })
    const ms = [closed.allUs, closed.firstUs, open.firstUs].map((us) => (us / 1000).toFixed(1))
    lab.say(`four streams ${ms[0]} ms/s in all, the control process ${ms[1]} without a page, ${ms[2]} with one`)
  }
  await daemon.stop()
  const from = `${ROUNDS} rounds of ${ROUND_MS / 1000} s, turn about`
  const share = ({ allUs, closedUs, openUs }: Turn) => (100 * (openUs - closedUs)) / allUs
  return [
    {
      what: 'control process with one page open above none, of what four streams cost',
      unit: '%',
      figure: { atMost: 5 },
      ...spread(turns.map(share)),
      from,
    },
    {
      what: '  above none',
      unit: 'ms/s',
      ...spread(turns.map(({ openUs, closedUs }) => (openUs - closedUs) / 1000)),
      from,
    },
    { what: '  four streams', unit: 'ms/s', ...spread(turns.map(({ allUs }) => allUs / 1000)), from },
    {
      what: 'requests a minute of a page on which nothing changes',
      unit: '',
      figure: { atMost: 0 },
      ...spread(turns.map(({ requests }) => requests)),
      from,
    },
  ]
}

export const peerChange: Measurement = async (lab) => {
  const browser = await startBrowser(lab)
  return [...(await changes(lab, browser)), ...(await cost(lab, browser))]
}
