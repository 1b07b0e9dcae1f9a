// What a robot can do to us by writing: a thousand writes a second of random MessagePack on all write keys for two
// minutes, against a minute without them before and one after. Lost is a frame that the robot does not hear of: a gap
// between the times of two that is longer than one period and a half. What is left of each write is still there after
// the second minute; what the first one compiles and fills is not there twice, so that the heap is judged by the
// second.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { addStream, type Daemon, getJson, startDaemon } from '../lab/daemon.ts'
import { HEAP_PROBE, heapMb } from '../lab/heap.ts'
import { type Helper, type Lab, type Measurement, start } from '../lab/lab.ts'
import { processCpuUs } from '../lab/processes.ts'
import { median, type Row, rowsOver } from '../lab/row.ts'
import { SMALL } from '../lab/small-pictures.ts'

const SEED = 2026
const RATE = 1_000
const SPAN_MS = 60_000
// with writes: every way that a value can take has been compiled, and has filled what it fills
const WARM_UP_MS = 15_000
const SETTLE_MS = 3_000
const FPS = 30
const ID = 'front'
const PERCENT_OF_A_CORE = 1e-4 // per microsecond in a second
const ROBOT = new URL('writing-robot.ts', import.meta.url).pathname

export const robotWrites: Measurement = async (lab) => {
  const robot = start(lab, process.execPath, [ROBOT, String(SEED), 'limelight', ID])
  const file = join(lab.folder, 'heap')
  const daemon = await startDaemon(lab, {
    dataDir: join(lab.folder, 'data'),
    nt4: `127.0.0.1:${await robot.line()}`,
    nodeOptions: `--import ${HEAP_PROBE}`,
    env: { VEDETTE_BENCH_HEAP: file },
  })
  const source = { backend: 'synthetic', motion: 'orbit', fps: FPS, ...SMALL } as const
  await addStream(daemon, { id: ID, source })
  const before = await restarts(daemon)
  await toRobot(robot, RATE)
  await delay(WARM_UP_MS)
  await toRobot(robot, 0)
  await delay(SETTLE_MS)

  const spans: Span[] = []
  const heaps = [await heapMb(daemon, file)]
  for (const rate of [0, RATE, RATE, 0]) {
    const cpuUs = processCpuUs(daemon.pid)
    await toRobot(robot, rate)
    await delay(SPAN_MS)
    const heard = await toRobot(robot, 0)
    const core = ((processCpuUs(daemon.pid) - cpuUs) / heard.seconds) * PERCENT_OF_A_CORE
    await delay(SETTLE_MS)
    heaps.push(await heapMb(daemon, file))
    const span = { ...heard, rate, core, lost: lostIn(heard.times), frames: heard.times.length }
    spans.push(span)
    lab.say(
      oneLine`
        ${(span.writes / span.seconds).toFixed(0)} writes a second: ${span.frames} frames, ${span.lost} lost; heap
        ${heaps.at(-1)?.toFixed(2)} MB; ${core.toFixed(1)} % of a core
      `,
    )
  }
  return rowsOf(spans, heaps, await restartsSince(lab, daemon, before))
}

/** What the robot noted in so many seconds. */
interface Heard {
  readonly seconds: number
  readonly writes: number
  readonly times: readonly number[]
}

interface Span extends Heard {
  readonly rate: number
  readonly core: number
  readonly frames: number
  readonly lost: number
}

/** So many writes a second from now on; what it has noted until now. */
const toRobot = async (robot: Helper, rate: number): Promise<Heard> => {
  robot.tell(String(rate))
  return JSON.parse(await robot.line()) as Heard
}

const PERIOD_US = 1e6 / FPS

const lostIn = (times: readonly number[]): number =>
  times
    .slice(1)
    .reduce((lost, atUs, n) => lost + Math.max(0, Math.round((atUs - (times[n] as number)) / PERIOD_US) - 1), 0)

/** Of all parts of the service, and of the stream's engine, by their names. */
const restarts = async ({ url }: Daemon): Promise<ReadonlyMap<string, number>> => {
  const { parts } = await getJson<{ parts: { name: string; restarts: number }[] }>(`${url}/v1/health`)
  const engine = await getJson<{ restarts: number }>(`${url}/v1/streams/${ID}/metrics`)
  return new Map([...parts.map((part) => [part.name, part.restarts] as const), ['the engine', engine.restarts]])
}

/** How many there have been since, all together; those who wait are told whose. */
const restartsSince = async (lab: Lab, daemon: Daemon, before: ReadonlyMap<string, number>): Promise<number> => {
  let all = 0
  for (const [name, count] of await restarts(daemon)) {
    const since = count - (before.get(name) ?? 0)
    if (since > 0) lab.say(`${name} was started again ${since} times`)
    all += since
  }
  return all
}

const rowsOf = (spans: readonly Span[], heaps: readonly number[], restarted: number): Row[] => {
  const writing = spans.filter(({ rate }) => rate > 0)
  const quiet = spans.filter(({ rate }) => rate === 0)
  const total = (what: (span: Span) => number) => writing.reduce((sum, span) => sum + what(span), 0)
  const [seconds, writes] = [total((span) => span.seconds), total((span) => span.writes)]
  const done = writes / seconds
  if (done < 0.99 * RATE) throw new Error(`the robot wrote ${done.toFixed(0)} times a second instead of ${RATE}`)
  const from = `${seconds.toFixed(0)} s, ${writes} writes, seed ${SEED}`
  const one = (what: string, unit: string, measured: number, figure?: Row['figure']): Row => ({
    what,
    unit,
    measured,
    low: measured,
    high: measured,
    from,
    ...(figure && { figure }),
  })
  const row = rowsOver(quiet, `${quiet.length} minutes without writes`)
  const [, grownQuiet = 0, grownFirst = 0, grownWriting = 0, grownAfter = 0] = heaps.map(
    (mb, n) => mb - (heaps[n - 1] ?? mb),
  )
  const lost = total((span) => span.lost) / writing.length
  return [
    one('random writes to all write keys, 1,000 a second: restarts', '', restarted, { atMost: 0 }),
    one('  frames lost, beyond those that are lost without', '', lost - median(quiet.map((span) => span.lost)), {
      atMost: 0,
    }),
    one('  frames lost in a minute', '', lost),
    row('  the same without writes', '', ({ lost }) => lost),
    one('  frames that the robot heard of in a minute', '', total(({ frames }) => frames) / writing.length, {
      atLeast: 0.99 * median(quiet.map(({ frames }) => frames)),
    }),
    one(
      '  what the second minute leaves on the heap, beyond what one without writes does',
      'MB',
      grownWriting - (grownQuiet + grownAfter) / 2,
      { atMost: 0.5 },
    ),
    one('  the second minute', 'MB', grownWriting),
    one('  the first, which compiles and fills', 'MB', grownFirst),
    {
      ...one('  one without writes', 'MB', (grownQuiet + grownAfter) / 2),
      low: Math.min(grownQuiet, grownAfter),
      high: Math.max(grownQuiet, grownAfter),
    },
    one(
      '  CPU of the control process, more than without',
      '% of a core',
      median(writing.map(({ core }) => core)) - median(quiet.map(({ core }) => core)),
    ),
  ]
}
