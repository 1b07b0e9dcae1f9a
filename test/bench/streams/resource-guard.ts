// Four streams beside programs that compute all the time, with the resource guard and without it, turn about: how late
// the first stream's results are. And what the guard itself costs: a look at four streams, a second's work of it.
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { GuardView } from '../../../actors/guard/guard-view.ts'
import { Guarding } from '../../../actors/guard/guarding.ts'
import { RESULT_HEADER } from '../../../machines/engine/result.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import { systemMetricsExample } from '../../../machines/system/metrics.ts'
import { systemClock } from '../../../native/clock/system.ts'
import { setState, streamRuntime } from '../../support/engine/stream-runtime.ts'
import { addStream, type Daemon, getJson, startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { median, type Row, rowsOver, spread } from '../lab/row.ts'
import { MOUNT, renderJpegs } from '../lab/scenes.ts'

const IDS = ['one', 'two', 'three', 'four']
const ROUNDS = Number(process.env.GUARD_ROUNDS ?? 4)
const SIZE = { width_px: 1280, height_px: 800 }
const FPS = 60 // each stream takes what it can get, as four cameras on a small board do
const PICTURES = 8
const BUSY = cpus().length // one for each core
const SETTLED_LIMIT_MS = 150_000
const QUIET_MS = 25_000 // no decision for so long: the guard has done what it will
const SAMPLES = 4
const SAMPLE_MS = 7_000 // two hundred frames, as many as figures are of
const LOOKS = 300

interface Guard {
  readonly state: string
  readonly decisions: readonly { readonly at_ms: number }[]
  readonly streams: readonly { readonly stream_id: string; readonly guard: { readonly detail: string } | null }[]
}

interface Latencies {
  readonly frames: number
  readonly latency_us: { readonly p50: number; readonly p99: number } | null
}

/** Of the first stream, ms. */
interface Seen {
  readonly p50: number
  readonly p99: number
  /** Results a second. */
  readonly fps: number
}

interface Turn {
  readonly guarded: Seen
  readonly unguarded: Seen
}

export const resourceGuard: Measurement = async (lab) => {
  const synthetic = { source: { backend: 'synthetic', fps: 10, ...SIZE }, pose: MOUNT } as const
  await renderJpegs(lab, { manifest: synthetic, name: 'pictures', count: PICTURES })
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), guard: 'on' })
  const source = { backend: 'images', path: join(lab.folder, 'pictures'), fps: FPS } as const
  for (const id of IDS) await addStream(daemon, { id, source })
  const turns: Turn[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const guarded = await withBusyMachine(lab, daemon, true)
    const unguarded = await withBusyMachine(lab, daemon, false)
    turns.push({ guarded, unguarded })
    const [on, off] = [guarded, unguarded].map(
      ({ p50, p99, fps }) => `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms at ${fps.toFixed(1)} fps`,
    )
    lab.say(`the first stream with the guard: ${on}; without: ${off}`)
  }
  return [...rowsOf(turns), ownCost()]
}

const withBusyMachine = async (lab: Lab, daemon: Daemon, enabled: boolean): Promise<Seen> => {
  await setGuard(daemon, enabled)
  const sinceMs = Date.now()
  const busy = Array.from({ length: BUSY }, () => start(lab, process.execPath, ['-e', 'for (;;);']))
  try {
    if (enabled) await untilItHasActed(lab, daemon, sinceMs)
    else await delay(QUIET_MS)
    return await seen(daemon)
  } finally {
    for (const { kill } of busy) kill('SIGKILL')
    await Promise.all(busy.map(({ ended }) => ended))
  }
}

const setGuard = async ({ url }: Daemon, enabled: boolean): Promise<void> => {
  const answer = await fetch(`${url}/v1/device/resource-guard`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ enabled }),
  })
  if (!answer.ok) throw new Error(`the guard cannot be set: ${await answer.text()}`)
}

/** What it decided before is not waited for. */
const untilItHasActed = async (lab: Lab, { url }: Daemon, sinceMs: number): Promise<void> => {
  for (; ; await delay(1_000)) {
    const { decisions, streams } = await getJson<Guard>(`${url}/v1/device/resource-guard`)
    const newestMs = decisions[0]?.at_ms ?? 0
    if (newestMs > sinceMs && Date.now() - newestMs > QUIET_MS) {
      lab.say(streams.map(({ stream_id, guard }) => `${stream_id}: ${guard?.detail ?? 'all'}`).join(' '))
      return
    }
    if (Date.now() - sinceMs > SETTLED_LIMIT_MS) throw new Error('the guard has not come to an end')
  }
}

const seen = async (daemon: Daemon): Promise<Seen> => {
  const all: Latencies[] = []
  const of = () => getJson<Latencies>(`${daemon.url}/v1/streams/one/metrics`)
  const before = await of()
  const startMs = performance.now()
  for (let n = 0; n < SAMPLES; n++) {
    await delay(SAMPLE_MS)
    all.push(await of())
  }
  const frames = (all.at(-1)?.frames ?? 0) - before.frames
  const ms = (quantile: 'p50' | 'p99') => median(all.map(({ latency_us }) => (latency_us?.[quantile] ?? 0) / 1_000))
  return { p50: ms('p50'), p99: ms('p99'), fps: frames / ((performance.now() - startMs) / 1_000) }
}

const rowsOf = (turns: readonly Turn[]): Row[] => {
  const row = rowsOver(turns, `${turns.length} rounds of ${(SAMPLES * SAMPLE_MS) / 1_000} s, turn about`)
  return [
    row(
      `4 streams beside ${BUSY} programs that compute: the first one's p99 latency with the guard against without`,
      '',
      ({ guarded, unguarded }) => guarded.p99 / unguarded.p99,
      { atMost: 0.5 },
    ),
    row('  with the guard, p99', 'ms', ({ guarded }) => guarded.p99),
    row('  without, p99', 'ms', ({ unguarded }) => unguarded.p99),
    row('  with the guard, p50', 'ms', ({ guarded }) => guarded.p50),
    row('  without, p50', 'ms', ({ unguarded }) => unguarded.p50),
    row('  its results a second with the guard', '', ({ guarded }) => guarded.fps),
    row('  without', '', ({ unguarded }) => unguarded.fps),
  ]
}

/** A look, of which there is one a second, at four streams with two hundred frames each, in the middle of cutting. */
const ownCost = (): Row => {
  const streams = IDS.map((id) => {
    const stream = streamRuntime({ id, source: { backend: 'images', path: '/pictures', fps: FPS } })
    const layout = { stages: [], outputs: [] }
    for (let n = 0; n < 200; n++) {
      const data = new Float64Array(RESULT_HEADER.length)
      data[RESULT_HEADER.indexOf('captured_us')] = systemClock.monotonicUs() - 10_000 * n - 9_000
      data[RESULT_HEADER.indexOf('finished_us')] = systemClock.monotonicUs() - 10_000 * n
      stream.results.set({ layout, data } as never)
    }
    setState(stream, 'live')
    return stream
  })
  const guarding = new Guarding({
    streams: { all: () => streams, get: (id) => streams.find((stream) => stream.id === id) },
    clock: systemClock,
    settings: createSettingsStore(),
    events: { publish: () => undefined as never },
    view: new GuardView(),
    record: () => {},
    stopRecording: () => {},
  })
  const hot = { ...systemMetricsExample, temperature: { celsius: 90, limit_celsius: 85, sensors: [] } }
  for (let n = 0; n < LOOKS; n++) guarding.look(hot)
  const rounds = Array.from({ length: 5 }, () => {
    const { user, system } = process.cpuUsage()
    for (let n = 0; n < LOOKS; n++) guarding.look(hot)
    const used = process.cpuUsage({ user, system })
    return (used.user + used.system) / LOOKS / 10_000
  })
  return {
    what: '  CPU of the guard, one look a second at 4 streams',
    unit: '% of a core',
    figure: { atMost: 0.1 },
    from: `5 rounds of ${LOOKS} looks`,
    ...spread(rounds),
  }
}
