// What it costs to pass a peer's pictures on, and how much later they are, against `http.request().pipe(response)` of the same bytes in the same run.
import { setTimeout as delay } from 'node:timers/promises'
import { type Helper, type Lab, type Measurement, start } from './lab.ts'
import { type Row, rowsOver, worst } from './row.ts'
import { usedPerSecond } from './usage.ts'

const ROUNDS = 5
const SECONDS = 8
const [BYTES, FPS] = [120_000, 30] // of 1280x720
const SETTLE_MS = 2_000 // a tunnel stays for a moment after its last viewer
const IDLE_MS = 3_000

const script = (name: string): string => new URL(name, import.meta.url).pathname

/** What viewers have seen, and the CPU that the receiver used for it in a second, µs, above what it uses without. */
interface Turn {
  readonly us: number
  readonly parts: number
  readonly least_parts: number
  readonly foreign: number
  readonly p50_us: number
  readonly p99_us: number
}

interface Receiver extends Helper {
  readonly url: string
}

/** One round, the two turn about. */
interface Round {
  readonly ours: Turn
  readonly pipe: Turn
}

export const tunnel: Measurement = async (lab) => {
  const source = start(lab, process.execPath, [script('tunnel-source.ts'), String(BYTES), String(FPS)])
  const origin = await source.line()
  const receiver = async (how: string): Promise<Receiver> => {
    const helper = start(lab, process.execPath, [script('tunnel-receiver.ts'), how, origin])
    return { ...helper, url: await helper.line() }
  }
  const [ours, pipe] = [await receiver('ours'), await receiver('pipe')]
  const rounds = new Map<number, Round[]>([
    [1, []],
    [10, []],
  ])
  for (const each of [ours, pipe]) await watchedBy(lab, each, 10) // warm
  for (let n = 0; n < ROUNDS; n++)
    for (const [count, found] of rounds) {
      const round = { ours: await watchedBy(lab, ours, count), pipe: await watchedBy(lab, pipe, count) }
      lab.say(`${count} viewers: ${(round.ours.us / round.pipe.us).toFixed(2)} of the CPU of the pipe`)
      found.push(round)
    }
  return [...rounds].flatMap(([count, found]) => rowsOf(count, found))
}

const watchedBy = async (lab: Lab, { pid, url }: Receiver, count: number): Promise<Turn> => {
  await delay(SETTLE_MS)
  const { allUs: idleUs } = await usedPerSecond(pid, () => delay(IDLE_MS))
  const viewers = start(lab, process.execPath, [script('tunnel-viewers.ts'), url, String(count), String(SECONDS)])
  await viewers.line()
  const seen = viewers.line()
  const { allUs } = await usedPerSecond(pid, () => seen)
  await viewers.ended
  return { ...(JSON.parse(await seen) as Omit<Turn, 'us'>), us: allUs - idleUs }
}

const MS = 1e-3 // per microsecond

const rowsOf = (count: number, rounds: readonly Round[]): Row[] => {
  const row = rowsOver(rounds, `${rounds.length} rounds of ${SECONDS} s`)
  const isOne = count === 1
  const viewers = isOne ? 'one viewer' : `${count} viewers`
  const perPicture = ({ us, parts }: Turn): number => (us * SECONDS) / parts
  return [
    row(
      `CPU of the receiver for a picture of ${BYTES / 1000} kB and a viewer, ${viewers} at ${FPS} fps, against http.request().pipe(response)`,
      '',
      ({ ours, pipe }) => perPicture(ours) / perPicture(pipe),
      { atMost: isOne ? 1 : 0.4 },
    ),
    row('  ours', 'µs', ({ ours }) => perPicture(ours)),
    row('  the pipe', 'µs', ({ pipe }) => perPicture(pipe)),
    row(
      '  pictures of the worst-off viewer, of those of the pipe',
      '%',
      (round) => (100 * round.ours.least_parts) / round.pipe.least_parts,
    ),
    worst(row('  pictures with other bytes than those of the source', '', ({ ours }) => ours.foreign, { atMost: 0 })),
    row(
      `  added latency above the pipe, p50, ${viewers}`,
      'ms',
      ({ ours, pipe }) => (ours.p50_us - pipe.p50_us) * MS,
      isOne ? { atMost: 0.3 } : undefined,
    ),
    row(
      `  added latency above the pipe, p99, ${viewers}`,
      'ms',
      ({ ours, pipe }) => (ours.p99_us - pipe.p99_us) * MS,
      isOne ? { atMost: 2 } : undefined,
    ),
  ]
}
