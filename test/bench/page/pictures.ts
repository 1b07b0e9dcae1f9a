// Live pictures on the page: whether all that are sent are drawn, what they cost the page itself, and whether the
// outlines that are drawn are of the very frame that is shown.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { build } from 'esbuild'
import type { CDPSession, Page } from 'playwright-core'
import { until } from '../../support/until.ts'
import { blankPage, countsOf, startBrowser } from '../lab/browser.ts'
import { type Daemon, startDaemon } from '../lab/daemon.ts'
import { type Measurement, ROOT } from '../lab/lab.ts'
import { rowsOver } from '../lab/row.ts'

const PREVIEWS = 8
const FPS = 15
const ROUNDS = 3
const ROUND_MS = 20_000
const SETTLE_MS = 10_000 // until everything is loaded, compiled and drawn
const COMPARED = Number(process.env.PAGE_COMPARED ?? 1000)
const COMPARE_LIMIT_MS = 15 * 60_000
const ADDRESS = '10.12.34.2' // of a robot's device: a browser does not take it for a secure place, as it does 127.0.0.1

const addStreams = async ({ url }: Daemon, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    const { ok, status } = await fetch(`${url}/v1/streams`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        id: `s${n}`,
        source: { backend: 'synthetic', width_px: 640, height_px: 400, fps: FPS, seed: n },
      }),
    })
    if (!ok) throw new Error(`a stream was refused with ${status}`)
  }
}

// What the worker tells the page of each picture is kept, to be asked for.
const LISTEN = `
  window.pictures = new Map()
  const keep = ({ id, facts }) => window.pictures.set(id, { received: facts.received, drawn: facts.drawn })
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', ({ data }) => data.kind === 'frame' && keep(data))
    }
  }`

interface Counts {
  readonly received: number
  readonly drawn: number
  readonly taskMs: number
}

const countsNow = async (page: Page, cdp: CDPSession): Promise<Counts> => {
  const pictures: readonly Omit<Counts, 'taskMs'>[] = await page.evaluate('[...window.pictures.values()]')
  const sum = (of: (each: Omit<Counts, 'taskMs'>) => number) => pictures.reduce((all, each) => all + of(each), 0)
  return {
    received: sum(({ received }) => received),
    drawn: sum(({ drawn }) => drawn),
    taskMs: ((await countsOf(cdp)).get('TaskDuration') ?? Number.NaN) * 1000,
  }
}

const framesOf = async ({ url }: Daemon): Promise<number> => {
  const answer = await fetch(`${url}/v1/streams/metrics`)
  const { streams } = (await answer.json()) as { readonly streams: readonly { readonly frames: number }[] }
  return streams.reduce((all, { frames }) => all + frames, 0)
}

export const pagePictures: Measurement = async (lab) => {
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'eight'), nt4: 'off' })
  await addStreams(daemon, PREVIEWS)
  const browser = await startBrowser(lab, [`--host-resolver-rules=MAP ${ADDRESS} 127.0.0.1`])
  const { page, cdp } = await blankPage(browser)
  await cdp.send('Performance.disable')
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' }) // what else runs here does not count
  await page.addInitScript(LISTEN)
  await page.setViewportSize({ width: 1920, height: 1700 }) // all of them are on the screen
  await page.goto(daemon.url.replace('127.0.0.1', ADDRESS), { waitUntil: 'domcontentloaded' })
  await until(
    'all pictures',
    () => page.evaluate<number>('window.pictures.size'),
    (count) => count === PREVIEWS,
  )
  await delay(SETTLE_MS)

  const rounds: (Counts & { readonly frames: number })[] = []
  for (let n = 0; n < ROUNDS; n += 1) {
    const [before, framesBefore] = [await countsNow(page, cdp), await framesOf(daemon)]
    await delay(ROUND_MS)
    const [after, frames] = [await countsNow(page, cdp), (await framesOf(daemon)) - framesBefore]
    rounds.push({
      received: after.received - before.received,
      drawn: after.drawn - before.drawn,
      taskMs: after.taskMs - before.taskMs,
      frames,
    })
    lab.say(`eight previews: ${JSON.stringify(rounds.at(-1))}`)
  }
  await daemon.stop()
  const row = rowsOver(rounds, `${ROUNDS} rounds of ${ROUND_MS / 1000} s`)
  const eight = `${PREVIEWS} previews of 640x400, ${FPS} a second asked for`
  return [
    row(`${eight}: drawn of those sent`, '%', ({ drawn, received }) => (100 * drawn) / received, { atLeast: 95 }),
    row(`${eight}: main thread for each`, 'ms', ({ taskMs, drawn }) => taskMs / drawn, { atMost: 0.1 }),
    row(`${eight}: sent of the frames of the cameras`, '%', ({ received, frames }) => (100 * received) / frames),
    row(`${eight}: drawn`, 'a second', ({ drawn }) => drawn / (ROUND_MS / 1000)),
  ]
}

/** What became of the comparisons: see same-frame.js. */
interface Compared {
  readonly compared: number
  readonly same: number
  /** How often the outlines of the frame before would have fitted as well: those comparisons prove nothing. */
  readonly asBefore: number
}

const SAME_FRAME = join(ROOT, 'test/bench/page/same-frame.js')

const comparer = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [SAME_FRAME],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'sameFrame',
    target: 'es2023',
  })
  return outputFiles[0]?.text ?? ''
}

export const sameFrames: Measurement = async (lab) => {
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'same'), nt4: 'off' })
  const streams = 2
  await addStreams(daemon, streams)
  const { page, cdp } = await blankPage(await startBrowser(lab))
  await page.goto(`${daemon.url}/settings`, { waitUntil: 'domcontentloaded' }) // where no pictures are
  await cdp.send('Runtime.evaluate', { expression: `${await comparer()}; sameFrame.start(${streams})` })
  const look = async () => (await page.evaluate('globalThis.sameFrameCounts')) as Compared
  const end = performance.now() + COMPARE_LIMIT_MS
  let now = await look()
  while (now.compared < COMPARED && performance.now() < end) {
    await delay(5000)
    now = await look()
    lab.say(`same frames: ${JSON.stringify(now)}`)
  }
  await daemon.stop()
  const from = `${now.compared} pictures with tags that moved, ${streams} synthetic cameras`
  const share = (count: number) => {
    const measured = (100 * count) / now.compared
    return { measured, low: measured, high: measured }
  }
  return [
    {
      what: 'outlines drawn on the picture of their own frame',
      unit: '%',
      figure: { atLeast: 100 },
      from,
      ...share(now.same),
    },
    {
      what: 'pictures that the outlines of the frame before would fit as well',
      unit: '%',
      from,
      ...share(now.asBefore),
    },
  ]
}
