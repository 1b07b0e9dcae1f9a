// What 10,000 media items cost against 100: a page of the list, in every order and of every kind, and the start of the
// service.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { storeManyMedia } from '../../support/media/many-media.ts'
import { type Daemon, getJson, startDaemon } from '../lab/daemon.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { median, type Row, spread } from '../lab/row.ts'

const FEW = 100
const MANY = 10_000
const ROUNDS = 9
const REQUESTS = 40 // a round
const STARTS = 12
const PAUSE_MS = 500

/** Each asks for a page of a hundred items, which both have. */
const PAGES: Readonly<Record<string, string>> = {
  'the newest first': 'limit=100',
  'the oldest first': 'limit=100&sort=created',
  'by name': 'limit=100&sort=name',
  'by size, the largest first': 'limit=100&sort=-size',
  'pictures by name': 'limit=100&kind=picture&sort=name',
  'pictures by size': 'limit=100&kind=picture&sort=size',
  'of one stream, the newest first': 'limit=100&stream_id=front',
  'of one stream, pictures, by size': 'limit=100&stream_id=front&kind=picture&sort=-size',
  'of a stream that has none': 'limit=100&stream_id=rear',
}

export const media: Measurement = async (lab) => {
  const [few, many] = [join(lab.folder, 'few'), join(lab.folder, 'many')]
  await fill(lab, few, FEW)
  await fill(lab, many, MANY)
  return [...(await pages(lab, few, many)), ...(await starts(lab, few, many))]
}

/** A data directory with so many items, as a service leaves it. */
const fill = async (lab: Lab, dataDir: string, count: number): Promise<void> => {
  lab.say(`stores ${count} items`)
  await storeManyMedia(dataDir, count, (n) => ({
    item: { name: `front-${(n * 7919) % count}.jpg` },
    bytes: Buffer.alloc(10 + ((n * 104_729) % 400)),
  }))
}

const pages = async (lab: Lab, few: string, many: string): Promise<readonly Row[]> => {
  const daemons = [await startDaemon(lab, { dataDir: few }), await startDaemon(lab, { dataDir: many })] as const
  for (const daemon of daemons) await whenReady(daemon)
  const rows: Row[] = []
  for (const [what, query] of Object.entries(PAGES)) {
    const ratios: number[] = []
    while (ratios.length < ROUNDS) {
      const times: [number[], number[]] = [[], []]
      for (let n = 0; n < 2 * REQUESTS; n += 1) times[n % 2]?.push(await timed(daemons[n % 2] as Daemon, query))
      ratios.push(median(times[1]) / median(times[0]))
    }
    const row = { what: `a page of ${MANY} items against one of ${FEW}: ${what}`, unit: '' }
    rows.push({ ...row, ...spread(ratios), from: `${ROUNDS} rounds`, figure: { atMost: 2 } })
    lab.say(`${what}: ${median(ratios).toFixed(2)}`)
  }
  for (const daemon of daemons) await daemon.stop()
  return rows
}

const timed = async ({ url }: Daemon, query: string): Promise<number> => {
  const beginMs = performance.now()
  const response = await fetch(`${url}/v1/media?${query}`)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`the list answered ${response.status}`)
  return performance.now() - beginMs
}

const starts = async (lab: Lab, few: string, many: string): Promise<readonly Row[]> => {
  const turns: { readonly ready: number; readonly listed: number }[] = []
  for (let n = 0; n <= STARTS; n += 1) {
    const [a, b] =
      n % 2 ? [await startOnce(lab, few), await startOnce(lab, many)] : (await inTurn(lab, many, few)).toReversed()
    if (n === 0 || !a || !b) continue // what is read for the first time comes from the disk
    turns.push({ ready: b.ready / a.ready, listed: b.listed / a.listed })
    lab.say(`ready after ${b.ready.toFixed(0)} ms, with few items after ${a.ready.toFixed(0)} ms`)
  }
  const row = (what: string, values: readonly number[]): Row => ({
    what,
    unit: '',
    ...spread(values),
    from: `${STARTS} starts`,
  })
  return [
    {
      ...row(
        `exec to API ready with ${MANY} media items, against ${FEW}`,
        turns.map(({ ready }) => ready),
      ),
      figure: { atMost: 1.15 },
    },
    row(
      '  exec to all of them looked through',
      turns.map(({ listed }) => listed),
    ),
  ]
}

const inTurn = async (lab: Lab, ...dirs: readonly string[]) => {
  const found: Awaited<ReturnType<typeof startOnce>>[] = []
  for (const dir of dirs) found.push(await startOnce(lab, dir))
  return found
}

/** ms since the process was started. */
const startOnce = async (lab: Lab, dataDir: string) => {
  const execMs = performance.now()
  const daemon = await startDaemon(lab, { dataDir })
  await getJson(`${daemon.url}/v1/health`)
  const ready = performance.now() - execMs
  await whenReady(daemon)
  const listed = performance.now() - execMs
  await daemon.stop()
  await delay(PAUSE_MS)
  return { ready, listed }
}

const whenReady = async ({ url }: Daemon): Promise<void> => {
  for (;;) {
    const { parts } = await getJson<{ parts: { name: string; state: string }[] }>(`${url}/v1/health`)
    if (parts.some(({ name, state }) => name === 'media' && state.startsWith('ready'))) return
    await delay(5)
  }
}
