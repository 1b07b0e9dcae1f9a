// What it costs to pass a peer's pictures on, and how much later they are, against `http.request().pipe(response)` of
// the same bytes at the same time: the service as it is started, with a link to the peer, and all that its process uses
// meanwhile. VEDETTE_BENCH_ROUNDS: another number of rounds, for trying.

import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { linkTo } from '../lab/linked.ts'
import { agreed, quantile, type Row, rowsOver, worst } from '../lab/row.ts'
import { usedPerSecond } from '../lab/usage.ts'

const ROUNDS = Number(process.env.VEDETTE_BENCH_ROUNDS ?? 6)
// Of a round. What a picture costs stays nearly the same for as long as a connection lasts, and may be half as much
// more with the next: in how many pieces it comes is chance.
const CONNECTIONS = 8
const SECONDS = 6 // of each
const [BYTES, FPS] = [120_000, 30] // of 1280x720
const SETTLE_MS = 2_000 // a tunnel stays for a moment after its last viewer
const IDLE_MS = 4_000

/**
 * Both receivers share one processor, and what feeds and watches them the other: where each may go to either, which of
 * them has the caches to itself is chance, and rounds differ by half.
 */
const [OTHERS, RECEIVERS] = [0, cpus().length - 1]
const keepOn = (processor: number, pid: number) =>
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(processor), String(pid)])

const script = (name: string): string => new URL(name, import.meta.url).pathname

/**
 * What viewers have seen, and the CPU that the receiver used meanwhile, µs, by all its threads. late_us: of each
 * picture.
 */
interface Turn {
  readonly us: number
  readonly parts: number
  readonly min_parts: number
  readonly foreign: number
  readonly late_us: readonly number[]
}

/** Through what pictures are watched. idleUs: what it uses in a second while nobody watches. */
interface Receiver {
  readonly pid: number
  readonly url: string
  readonly idleUs: number
}

interface Pair {
  readonly ours: Receiver
  readonly pipe: Receiver
}

/** One round, the two at the same time: a second is not like the one before on a machine that others use too. */
interface Round {
  readonly ours: Turn
  readonly pipe: Turn
}

export const tunnel: Measurement = async (lab) => {
  const source = start(lab, process.execPath, [script('tunnel-source.ts'), String(BYTES), String(FPS)])
  const origin = await source.line()
  keepOn(OTHERS, source.pid)
  const network = start(lab, process.execPath, [script('bad-network.ts'), origin])
  const [near, far] = [await pairAt(lab, 'near', origin), await pairAt(lab, 'far', await network.line())]
  const rounds: Readonly<Record<'one' | 'ten' | 'far', Round[]>> = { one: [], ten: [], far: [] }
  await watched(lab, near, 1) // warm
  await watchedOnce(lab, far, 1)
  for (let n = 0; n < ROUNDS; n++) {
    rounds.one.push(await watched(lab, near, 1))
    rounds.ten.push(await watched(lab, near, 10))
    if (n % 2 === 0) rounds.far.push(await watched(lab, far, 1))
  }
  const onePipe = rowsOver(rounds.one, '')('', '', ({ pipe }) => perPicture(pipe)).measured
  return [
    ...rowsOf(rounds.one, 'one viewer', { maxCpu: 1, near, maxLater: true }),
    ...rowsOf(rounds.ten, '10 viewers', { maxCpu: 0.4, near, onePipe }),
    ...rowsOf(rounds.far, 'one viewer, over a network with 20 to 25 ms of delay and a loss every two seconds', {
      near: far,
    }),
  ]
}

const pairAt = async (lab: Lab, name: string, origin: string): Promise<Pair> => {
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, name), nt4: 'off' })
  const [id] = await linkTo(daemon, [origin])
  const pipe = start(lab, process.execPath, [script('tunnel-pipe.ts'), origin])
  for (const { pid } of [daemon, pipe]) keepOn(RECEIVERS, pid)
  const urls = [`${daemon.url}/v1/peers/${id}/streams/front/preview`, await pipe.line()] as const
  const [ours, theirs] = await Promise.all([daemon, pipe].map(({ pid }) => usedPerSecond(pid, () => delay(IDLE_MS))))
  return {
    ours: { pid: daemon.pid, url: urls[0], idleUs: ours?.allUs ?? 0 },
    pipe: { pid: pipe.pid, url: urls[1], idleUs: theirs?.allUs ?? 0 },
  }
}

const watched = async (lab: Lab, pair: Pair, count: number): Promise<Round> => {
  const connections: Round[] = []
  while (connections.length < CONNECTIONS) connections.push(await watchedOnce(lab, pair, count))
  const round = {
    ours: together(connections.map(({ ours }) => ours)),
    pipe: together(connections.map(({ pipe }) => pipe)),
  }
  const ratios = [...connections, round].map(({ ours, pipe }) => (perPicture(ours) / perPicture(pipe)).toFixed(2))
  lab.say(`${count} viewers: ${ratios.pop()} of the CPU of the pipe; by connections ${ratios.join(' ')}`)
  return round
}

const watchedOnce = async (lab: Lab, { ours, pipe }: Pair, count: number): Promise<Round> => {
  await delay(SETTLE_MS)
  const both = [ours, pipe].map((receiver) => ({ receiver, viewers: viewersOf(lab, receiver, count) }))
  for (const { viewers } of both) await viewers.line()
  const seen = both.map(({ viewers }) => viewers.line())
  const until = () => Promise.race(seen) // from when all watch until the first stop
  const used = await Promise.all(both.map(({ receiver }) => usedPerSecond(receiver.pid, until)))
  const turns = (await Promise.all(seen)).map((line, n) => ({
    ...(JSON.parse(line) as Omit<Turn, 'us'>),
    us: (used[n]?.allUs ?? 0) * SECONDS,
  })) as [Turn, Turn]
  for (const { viewers } of both) await viewers.ended
  return { ours: turns[0], pipe: turns[1] }
}

const together = (turns: readonly Turn[]): Turn => {
  const sum = (of: (turn: Turn) => number) => turns.reduce((total, turn) => total + of(turn), 0)
  return {
    us: sum(({ us }) => us),
    parts: sum(({ parts }) => parts),
    min_parts: sum(({ min_parts }) => min_parts),
    foreign: sum(({ foreign }) => foreign),
    late_us: turns.flatMap(({ late_us }) => late_us),
  }
}

const viewersOf = (lab: Lab, { url }: Receiver, count: number) => {
  const viewers = start(lab, process.execPath, [script('tunnel-viewers.ts'), url, String(count), String(SECONDS)])
  keepOn(OTHERS, viewers.pid)
  return viewers
}

const MS = 1e-3 // per microsecond

/** Of one viewer, µs. */
const perPicture = ({ us, parts }: Pick<Turn, 'us' | 'parts'>): number => us / parts

interface Judged {
  /** Of that of the pipe. */
  readonly maxCpu?: number
  /** Whose idle use is taken off in the row that says so. */
  readonly near: Pair
  /** Μs of the pipe with one viewer. */
  readonly onePipe?: number
  /** Whether latency has its figures. */
  readonly maxLater?: boolean
}

const rowsOf = (rounds: readonly Round[], viewers: string, { maxCpu, near, onePipe, maxLater }: Judged): Row[] => {
  const row = rowsOver(rounds, `${rounds.length} rounds of ${CONNECTIONS} connections, ${SECONDS} s each`)
  const above = (turn: Turn, { idleUs }: Receiver): number =>
    perPicture({ ...turn, us: turn.us - idleUs * CONNECTIONS * SECONDS })
  const later = (percent: 50 | 99, atMost: number) =>
    row(
      `  added latency above the pipe, p${percent}`,
      'ms',
      ({ ours, pipe }) => (quantile(ours.late_us, percent / 100) - quantile(pipe.late_us, percent / 100)) * MS,
      maxLater ? { atMost } : undefined,
    )
  return [
    agreed(
      row(
        oneLine`
          CPU of the receiver for a picture of ${BYTES / 1000} kB and a viewer at ${FPS} fps, ${viewers}, against
          http.request().pipe(response)
        `,
        '',
        ({ ours, pipe }) => perPicture(ours) / perPicture(pipe),
        maxCpu === undefined ? undefined : { atMost: maxCpu },
      ),
    ),
    row(
      '  the same above what either uses while nobody watches',
      '',
      (round) => above(round.ours, near.ours) / above(round.pipe, near.pipe),
    ),
    ...(onePipe === undefined
      ? []
      : [row('  against the pipe with one viewer', '', ({ ours }) => perPicture(ours) / onePipe)]),
    row('  ours', 'µs', ({ ours }) => perPicture(ours)),
    row('  the pipe', 'µs', ({ pipe }) => perPicture(pipe)),
    row(
      '  pictures of the worst-off viewer, of those of the pipe',
      '%',
      (round) => (100 * round.ours.min_parts) / round.pipe.min_parts,
    ),
    worst(row('  pictures with other bytes than those of the source', '', ({ ours }) => ours.foreign, { atMost: 0 })),
    later(50, 0.3),
    later(99, 2),
  ]
}
