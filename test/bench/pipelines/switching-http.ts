// Switches as somebody asks the service for them: a request that makes another slot active, the pipeline of which is
// tried, stored and then run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { monotonicUs } from '../../../native/clock/system.ts'
import { Captures } from '../lab/captures.ts'
import { addStream, type Daemon, SOURCES, startDaemon } from '../lab/daemon.ts'
import type { Lab } from '../lab/lab.ts'
import { median, type Row } from '../lab/row.ts'
import type { NotedResult } from './results-probe.ts'
import { GRAPHS, picturesUntil, waitMs } from './switching-graphs.ts'

const SWITCHES = 200
const WARM_UP_MS = 2_000
const LATE_MS = 500 // the last switch of them is to be seen too
const STREAM = 'wall'
const PROBE = new URL('results-probe.ts', import.meta.url).href

interface Switched {
  readonly requestedUs: number
  readonly answeredUs: number
}

/** Rows about a stream with this source. */
export const switchedOverHttp = async (lab: Lab, source: StreamManifest['source']): Promise<readonly Row[]> => {
  const file = join(lab.folder, 'results.json')
  const daemon = await startDaemon(lab, {
    dataDir: join(lab.folder, 'data'),
    nt4: 'off',
    nodeOptions: `--import ${PROBE}`,
    main: SOURCES, // the probe changes their modules
    env: { VEDETTE_BENCH_PROBE: file },
  })
  for (const [n, graph] of GRAPHS.entries()) await post(daemon, '/v1/pipelines/graphs', named(n, graph))
  await addStream(daemon, { id: STREAM, source })
  const toSlot = (n: number) =>
    post(daemon, `/v1/streams/${STREAM}/pipeline/graph`, { graph_id: `graph-${n % 2}`, slot: n % 2 })
  await toSlot(1)
  await delay(WARM_UP_MS)
  const switches: Switched[] = []
  for (let n = 0; n < SWITCHES; n++) {
    await delay(waitMs(n))
    const requestedUs = monotonicUs()
    await toSlot(n)
    switches.push({ requestedUs, answeredUs: monotonicUs() })
  }
  await delay(LATE_MS)
  await daemon.stop()

  const results = JSON.parse(readFileSync(file, 'utf8')) as NotedResult[]
  const captures = new Captures()
  for (const { seq, captured_us } of results) captures.saw(seq, captured_us)
  const firsts = firstOfEach(results).slice(-SWITCHES)
  const from = `${SWITCHES} switches`
  const counts = (momentOf: (one: Switched) => number) =>
    switches.map((one, n) => captures.between(momentOf(one), (firsts[n] as NotedResult).seq))
  const answerMs = switches.map(({ requestedUs, answeredUs }) => (answeredUs - requestedUs) / 1000)
  return [
    ...picturesUntil(
      "switch over HTTP: pictures from the service's answer to the first result of the new pipeline",
      ...([counts(({ answeredUs }) => answeredUs), from, 2] as const),
    ),
    ...picturesUntil(
      'switch over HTTP: pictures from the request to that result',
      counts(({ requestedUs }) => requestedUs),
      from,
    ),
    {
      what: '  from the request to its answer',
      unit: 'ms',
      measured: median(answerMs),
      from,
      low: Math.min(...answerMs),
      high: Math.max(...answerMs),
    },
  ]
}

const named = (n: number, graph: GraphDocument) => ({ id: `graph-${n}`, name: `Graph ${n}`, ...graph })

const post = async ({ url }: Daemon, path: string, body: object): Promise<void> => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

/** The first result of each plan. */
const firstOfEach = (results: readonly NotedResult[]): readonly NotedResult[] =>
  results.filter(({ plan }, n) => n === 0 || plan !== results[n - 1]?.plan)
