// From the start of the process to the first answer of the API, and to the first picture that a person gets to see.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startDaemon } from './daemon.ts'
import type { Lab, Measurement } from './lab.ts'
import { type Row, spread } from './row.ts'

const WARM_STARTS = 12
const FRESH_STARTS = 6
const PAUSE_MS = 500

/** ms since the process was started. */
interface Start {
  readonly ready: number
  readonly frame: number
}

export const startUp: Measurement = async (lab) => {
  const warmDir = join(lab.folder, 'warm')
  await startOnce(lab, warmDir)
  const warm: Start[] = []
  const fresh: Start[] = []
  while (warm.length < WARM_STARTS) {
    warm.push(await startOnce(lab, warmDir))
    if (fresh.length < FRESH_STARTS) fresh.push(await startOnce(lab, join(lab.folder, `fresh-${fresh.length}`)))
  }
  const row = (what: string, starts: readonly Start[], of: (start: Start) => number): Row => ({
    what,
    unit: 's',
    ...spread(starts.map((start) => of(start) / 1000)),
    from: `${starts.length} starts`,
  })
  return [
    { ...row('exec to API ready', warm, ({ ready }) => ready), figure: { atMost: 1.5 } },
    { ...row('exec to first frame served', warm, ({ frame }) => frame), figure: { atMost: 2.5 } },
    { ...row('exec to API ready, empty data folder', fresh, ({ ready }) => ready), figure: { atMost: 1.5 } },
    { ...row('exec to first frame served, empty data folder', fresh, ({ frame }) => frame), figure: { atMost: 2.5 } },
  ]
}

const startOnce = async (lab: Lab, dataDir: string): Promise<Start> => {
  const execMs = performance.now()
  const daemon = await startDaemon(lab, { dataDir, demo: true })
  await ok(`${daemon.url}/v1/health`)
  const ready = performance.now() - execMs
  await ok(`${daemon.url}/v1/streams/demo/frame`)
  const frame = performance.now() - execMs
  await daemon.stop()
  await delay(PAUSE_MS)
  lab.say(`ready after ${ready.toFixed(0)} ms, first frame after ${frame.toFixed(0)} ms`)
  return { ready, frame }
}

const LIMIT_MS = 10_000

/** Asks until it is answered; the whole answer has come. */
const ok = async (url: string): Promise<void> => {
  for (const endMs = performance.now() + LIMIT_MS; performance.now() < endMs; await delay(5)) {
    const response = await fetch(url)
    await response.arrayBuffer()
    if (response.ok) return
  }
  throw new Error(`${url} did not answer within 10 s`)
}
