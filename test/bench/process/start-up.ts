// From the start of the process to the first answer of the API, and to the first picture that a person gets to see,
// against a process of the same Node that is nothing but fastify with one route, and where the time goes.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { BUNDLE, type DaemonOptions, getJson, SOURCES, startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { type Row, spread } from '../lab/row.ts'

const STARTS = 12
const FRESH_STARTS = 6
const PAUSE_MS = 500
const ALL_ENDPOINTS = 170 // that there will be

const BARE = new URL('bare-fastify.ts', import.meta.url).pathname
const STARTED = new URL('started.ts', import.meta.url).pathname

/** ms since the process was started. */
interface Start {
  readonly ready: number
  readonly frame: number
}

/** Starts one after the other, under the same conditions. */
interface Turn {
  readonly warm: Start
  readonly bare: number
  readonly uncached: number
  readonly sources: Start
  readonly loaded: number
}

export const startUp: Measurement = async (lab) => {
  const warmDir = join(lab.folder, 'warm')
  const endpoints = await endpointsNow(lab, warmDir)
  const turns: Turn[] = []
  const fresh: Start[] = []
  while (turns.length < STARTS) {
    const turn = {
      warm: await startOnce(lab, warmDir),
      bare: await startBare(lab),
      uncached: (await startOnce(lab, warmDir, { env: { NODE_DISABLE_COMPILE_CACHE: '1' } })).ready,
      sources: await startOnce(lab, warmDir, { main: SOURCES }),
      loaded: await load(lab),
    }
    turns.push(turn)
    if (fresh.length < FRESH_STARTS) fresh.push(await startOnce(lab, join(lab.folder, `fresh-${fresh.length}`)))
    lab.say(`ready after ${turn.warm.ready.toFixed(0)} ms, bare fastify after ${turn.bare.toFixed(0)} ms`)
  }
  const row = (what: string, unit: string, values: readonly number[]): Row => ({
    what,
    unit,
    from: `${values.length} starts`,
    ...spread(values),
  })
  const ms = (what: string, of: (turn: Turn) => number): Row => row(what, 'ms', turns.map(of))
  const perEndpoint = await endpointCosts(lab)
  const furtherMs = spread(perEndpoint).measured * (ALL_ENDPOINTS - endpoints)
  return [
    {
      ...row(
        'exec to API ready, against bare fastify with one route',
        '',
        turns.map(({ warm, bare }) => warm.ready / bare),
      ),
      figure: { atMost: 3 },
    },
    {
      ...row(
        `  with ${ALL_ENDPOINTS} endpoints instead of ${endpoints}, at the price of one more`,
        '',
        turns.map(({ warm, bare }) => (warm.ready + furtherMs) / bare),
      ),
      figure: { atMost: 3.5 },
    },
    {
      ...row(
        'exec to first frame served, against exec to API ready',
        '',
        turns.map(({ warm }) => warm.frame / warm.ready),
      ),
      figure: { atMost: 1.25 },
    },
    ms('exec to API ready', ({ warm }) => warm.ready),
    ms('exec to first frame served', ({ warm }) => warm.frame),
    ms('exec to ready of bare fastify', ({ bare }) => bare),
    ms('  of that of the API: a process that only loads the same modules', ({ loaded }) => loaded),
    ms('  more without the compile cache: compiling', ({ warm, uncached }) => uncached - warm.ready),
    ms('exec to API ready, from the sources', ({ sources }) => sources.ready),
    ms('exec to first frame served, from the sources', ({ sources }) => sources.frame),
    row('  one more endpoint', 'ms', perEndpoint),
    row(
      'exec to API ready, empty data folder',
      'ms',
      fresh.map(({ ready }) => ready),
    ),
    row(
      'exec to first frame served, empty data folder',
      'ms',
      fresh.map(({ frame }) => frame),
    ),
  ]
}

const startOnce = async (lab: Lab, dataDir: string, how: Pick<DaemonOptions, 'env' | 'main'> = {}): Promise<Start> => {
  const execMs = performance.now()
  const daemon = await startDaemon(lab, { dataDir, demo: true, ...how })
  await ok(`${daemon.url}/v1/health`)
  const ready = performance.now() - execMs
  await ok(`${daemon.url}/v1/streams/demo/frame`)
  const frame = performance.now() - execMs
  await daemon.stop()
  await delay(PAUSE_MS)
  return { ready, frame }
}

const startBare = async (lab: Lab): Promise<number> => {
  const execMs = performance.now()
  const bare = start(lab, process.execPath, [BARE])
  const { url } = JSON.parse(await bare.line()) as { url: string }
  await ok(`${url}/v1/health`)
  const ready = performance.now() - execMs
  await bare.stop()
  await delay(PAUSE_MS)
  return ready
}

/**
 * How many endpoints there are. The service that is asked leaves its data and what was compiled for those that come
 * after it.
 */
const endpointsNow = async (lab: Lab, dataDir: string): Promise<number> => {
  const daemon = await startDaemon(lab, { dataDir, demo: true })
  const { paths } = await getJson<{ paths: Readonly<Record<string, object>> }>(`${daemon.url}/openapi.json`)
  await daemon.stop()
  return Object.values(paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0)
}

/** A process that loads the service and ends. */
const load = async (lab: Lab): Promise<number> => {
  const execMs = performance.now()
  const process_ = start(lab, process.execPath, [STARTED, 'load', BUNDLE])
  await process_.line()
  const loaded = performance.now() - execMs
  await process_.ended
  return loaded
}

const ENDPOINT_ROUNDS = 5

/** ms of each further endpoint, from apps of today's rows with and without a hundred more like them. */
const endpointCosts = async (lab: Lab): Promise<readonly number[]> => {
  const costs: number[] = []
  while (costs.length < ENDPOINT_ROUNDS) {
    const helper = start(lab, process.execPath, [STARTED, 'endpoints'])
    costs.push(Number(await helper.line()))
    await helper.ended
  }
  return costs
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
