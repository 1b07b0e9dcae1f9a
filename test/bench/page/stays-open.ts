// A page that stays open: whether what the browser keeps for it grows. Two pages at once, as in the pit: the first page
// with four previews, and the field.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'
import { blankPage, countsOf, startBrowser } from '../lab/browser.ts'
import { startDaemon } from '../lab/daemon.ts'
import type { Measurement } from '../lab/lab.ts'
import type { Row } from '../lab/row.ts'

const MINUTES = Number(process.env.PAGE_MINUTES ?? 30)
const SETTLE_MS = 60_000 // until everything is loaded, compiled and drawn
const LOOK_MS = 30_000
const STREAMS = 4
const ROOMS = ['/', '/field?stream=s0'] as const

interface Look {
  readonly heapMb: number
  readonly listeners: number
  readonly nodes: number
}

const look = async (cdp: CDPSession): Promise<Look> => {
  await cdp.send('HeapProfiler.collectGarbage')
  const counts = await countsOf(cdp)
  const of = (name: string) => counts.get(name) ?? Number.NaN
  return { heapMb: of('JSHeapUsedSize') / 1e6, listeners: of('JSEventListeners'), nodes: of('Nodes') }
}

/** How far the last third lies above the first. */
const growth = (values: readonly number[]): number => {
  const third = Math.max(1, Math.floor(values.length / 3))
  const mean = (part: readonly number[]) => part.reduce((sum, value) => sum + value, 0) / part.length
  return mean(values.slice(-third)) - mean(values.slice(0, third))
}

export const staysOpen: Measurement = async (lab) => {
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), nt4: 'off' })
  for (let n = 0; n < STREAMS; n += 1)
    await fetch(`${daemon.url}/v1/streams`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        id: `s${n}`,
        alias: `S ${n}`,
        source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: 10, seed: n },
      }),
    })
  const browser = await startBrowser(lab)
  const pages = await Promise.all(
    ROOMS.map(async (room) => {
      const opened = await blankPage(browser)
      let sockets = 0
      opened.page.on('websocket', (socket) => {
        sockets += 1
        socket.on('close', () => {
          sockets -= 1
        })
      })
      await opened.page.goto(`${daemon.url}${room}`, { waitUntil: 'domcontentloaded' })
      return { room, ...opened, sockets: () => sockets, looks: [] as (Look & { sockets: number })[] }
    }),
  )
  await delay(SETTLE_MS)
  const end = performance.now() + MINUTES * 60_000
  while (performance.now() < end) {
    for (const page of pages) page.looks.push({ ...(await look(page.cdp)), sockets: page.sockets() })
    lab.say(pages.map(({ room, looks }) => `${room}: ${JSON.stringify(looks.at(-1))}`).join('  '))
    await delay(LOOK_MS)
  }
  const rowsOf = ({ room, looks }: (typeof pages)[number]): Row[] => {
    const row = (what: string, unit: string, of: (look: (typeof looks)[number]) => number, atMost: number): Row => {
      const values = looks.map(of)
      return {
        what: `${room}, open for ${MINUTES} minutes: ${what}, the last third above the first`,
        unit,
        figure: { atMost },
        measured: growth(values),
        low: Math.min(...values),
        high: Math.max(...values),
        from: `${values.length} looks; low and high are of the value itself`,
      }
    }
    return [
      row('heap', 'MB', ({ heapMb }) => heapMb, 5),
      row('listeners', '', ({ listeners }) => listeners, 5),
      row('nodes', '', ({ nodes }) => nodes, 50),
      row('sockets', '', ({ sockets }) => sockets, 0),
    ]
  }
  return pages.flatMap(rowsOf)
}
