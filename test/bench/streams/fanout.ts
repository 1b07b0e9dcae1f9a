// What it costs to show a camera's own JPEG to many, against a bare loop of send() with the same bytes to the same
// readers.
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { builtProgram } from '../bare/build.ts'
import { LITTLE, NOTHING } from '../lab/graphs.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { rssMb } from '../lab/processes.ts'
import { type Row, rowsOver, spread } from '../lab/row.ts'
import { SECONDS } from './audience.ts'
import {
  CROWDS,
  controlBytes,
  inTurns,
  oursUs,
  type Reference,
  ratio,
  roundsIn,
  rowsOfOthers,
  type Turn,
  theirsUs,
  wholeRatio,
  writingUs,
} from './crowds.ts'
import { FPS, PREVIEW, type WatchedCamera, watchedCamera } from './watched-camera.ts'

const ROUNDS = 5

/** Nothing is looked for in the pictures: they are shown, as that loop shows them. */
export const fanout: Measurement = async (lab) => {
  const camera = await watchedCamera(lab, NOTHING)
  const turns = await inTurns(lab, camera, bareLoop(lab, camera.picture, 0), ROUNDS)
  const what = (count: number) =>
    `CPU of the threads that write, per picture and viewer, ${count} at ${FPS} fps, against a bare send loop`
  return [...rowsOf(turns, what, writingUs), ...(await withOneStalled(lab, camera))]
}

/** Each picture is decoded beside the threads that show it; beside that loop something computes as long. */
export const fanoutDecoding: Measurement = async (lab) => {
  const camera = await watchedCamera(lab, LITTLE)
  const { worker } = await camera.usage(() => delay(SECONDS * 1000))
  const decodingUs = Math.round(worker / FPS)
  lab.say(`the pipeline takes ${decodingUs} µs of each picture`)
  const turns = await inTurns(lab, camera, bareLoop(lab, camera.picture, decodingUs), ROUNDS)
  const what = (count: number) =>
    `the same, ${count}, where each picture is decoded, against that loop beside a thread that computes as long`
  return rowsOf(turns, what, oursUs)
}

const PERCENT_OF_A_CORE = 1e-4 // per microsecond in a second

const rowsOf = (
  all: ReadonlyMap<number, readonly Turn[]>,
  what: (count: number) => string,
  ours: (turn: Turn) => number,
): Row[] =>
  [...all].flatMap(([count, turns]) => {
    const row = rowsOver(turns, roundsIn(turns))
    const isMost = count === Math.max(...CROWDS)
    return [
      row(what(count), '', ratio(ours), { atMost: 1.15 }),
      row('  the threads that write', 'µs', writingUs),
      row('  all threads that have pictures', 'µs', oursUs),
      row('  the bare loop', 'µs', theirsUs),
      ...rowsOfOthers(turns),
      row('  the ratio with all that all threads of both use without viewers', '', wholeRatio),
      row('  pictures of the worst-off viewer', '%', ({ ours }) => 100 * ours.minShare, { atLeast: 99 }),
      row(
        '  the control process, more than without viewers',
        '% of a core',
        ({ ours, idle }) => (ours.control - idle.control) * PERCENT_OF_A_CORE,
        isMost ? { atMost: 1 } : undefined,
      ),
      row('  what the control process reads and writes more, per picture and viewer', 'B', controlBytes),
    ]
  })

/**
 * Without viewers it counts the same pictures and sends nothing. besideUs: how long something computes beside it with
 * each picture.
 */
const bareLoop = (lab: Lab, picture: string, besideUs: number): Reference => ({
  path: '/',
  open: async (count) => {
    const numbers = { fps: FPS, clients: count, frames: 1_000_000, beside: besideUs }
    const words = Object.entries(numbers).flatMap(([name, value]) => [`--${name}`, String(value)])
    const { pid, line, stop } = start(lab, await builtProgram('send'), [picture, ...words])
    return { pid, port: await line(), close: stop }
  },
})

const OTHERS = 9
const STALLED_ROUNDS = 3

/** Nine who read, and one who reads nothing. */
const withOneStalled = async (lab: Lab, { daemon, metrics, watchedBy }: WatchedCamera): Promise<Row[]> => {
  const lost: number[] = []
  const grown: number[] = []
  for (let round = 0; round < STALLED_ROUNDS; round++) {
    const stalled = connect(Number(new URL(daemon.url).port), '127.0.0.1')
    stalled.write(`GET ${PREVIEW} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`) // nothing is ever read
    lab.defer(() => stalled.destroy())
    const { engine_pid } = await metrics()
    const memoryMb = () => rssMb(engine_pid) + rssMb(daemon.pid)
    await watchedBy(OTHERS)
    const beforeMb = memoryMb()
    const { minShare } = await watchedBy(OTHERS)
    lost.push(Math.round((1 - minShare) * FPS * SECONDS))
    grown.push(memoryMb() - beforeMb)
    stalled.destroy()
  }
  const from = `${STALLED_ROUNDS} rounds of ${SECONDS} s`
  return [
    {
      what: 'one stalled among 10 viewers: pictures that the worst-off of the others loses',
      unit: '',
      figure: { atMost: 0 },
      from,
      ...spread(lost),
    },
    { what: '  growth of memory meanwhile, engine and control process', unit: 'MB', from, ...spread(grown) },
  ]
}
