// Eight streams of 640x480 at 30 fps that are only watched, one viewer each: whether all keep their rate while a bare
// decoder of the same pictures keeps it too, and what part of the CPU the control process has.
import { join } from 'node:path'
import { builtProgram } from '../bare/build.ts'
import { addStream, type Daemon, metrics, startDaemon } from '../lab/daemon.ts'
import { CORNER } from '../lab/graphs.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { processCpuUs } from '../lab/processes.ts'
import { type Row, rowsOver } from '../lab/row.ts'
import { MOUNT, renderJpegs } from '../lab/scenes.ts'
import { perSecond, SECONDS, seenBy } from './audience.ts'

const ROUNDS = 6
const FPS = 30
const PICTURES = 8
const IDS = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `camera-${n}`)

interface Turn {
  /** Of the rate that was wanted, 0 to 1. */
  readonly least: number
  /** Of the rate that was wanted, 0 to 1. */
  readonly bare: number
  /** Of the pictures, those that the worst-off viewer got. */
  readonly shown: number
  /** Of all CPU. */
  readonly control: number
  readonly coresUsed: number
}

export const eightStreams: Measurement = async (lab) => {
  const size = { width_px: 640, height_px: 480 }
  const synthetic = { source: { backend: 'synthetic', fps: 10, ...size }, pose: MOUNT } as const
  const files = await renderJpegs(lab, { manifest: synthetic, name: 'pictures', count: PICTURES })
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data') })
  const source = { backend: 'images', path: join(lab.folder, 'pictures'), fps: FPS } as const
  for (const id of IDS) await addStream(daemon, { id, internal: true, source, pipeline: CORNER })
  const turns: Turn[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const turn = { ...(await ours(lab, daemon)), bare: await bare(lab, files) }
    turns.push(turn)
    const percent = [turn.least, turn.bare, turn.control].map((share) => (100 * share).toFixed(1))
    lab.say(`the slowest at ${percent[0]} % of its rate, bare at ${percent[1]} %; control process ${percent[2]} %`)
  }
  return rowsOf(turns)
}

const ours = async (lab: Lab, daemon: Daemon): Promise<Omit<Turn, 'bare'>> => {
  const engines = (await Promise.all(IDS.map((id) => metrics(daemon, id)))).map(({ engine_pid }) => engine_pid)
  const engineCpuUs = () => engines.reduce((sum, pid) => sum + processCpuUs(pid), 0)
  const port = new URL(daemon.url).port
  const each = await Promise.all(
    IDS.map((id) =>
      seenBy(lab, { port, path: `/v1/streams/${id}/preview`, count: 1 }, async (wait) => {
        const { frames } = await metrics(daemon, id)
        const startMs = performance.now()
        const [control, engine] = await Promise.all([
          perSecond(() => processCpuUs(daemon.pid), wait),
          perSecond(engineCpuUs, wait),
        ])
        const fps = ((await metrics(daemon, id)).frames - frames) / ((performance.now() - startMs) / 1000)
        return { fps, control, engine }
      }),
    ),
  )
  const [{ measured: used }] = each as [(typeof each)[0]]
  return {
    least: Math.min(...each.map(({ measured }) => measured.fps)) / FPS,
    shown: Math.min(...each.map(({ min_parts }) => min_parts)) / (FPS * SECONDS),
    control: used.control / (used.control + used.engine),
    coresUsed: (used.control + used.engine) / 1e6,
  }
}

/** How much of the rate of all eight one thread reaches that only decodes. */
const bare = async (lab: Lab, files: readonly string[]): Promise<number> => {
  const rate = FPS * IDS.length
  const rounds = (rate * SECONDS) / files.length
  const words = ['--only-decode', '--fps', String(rate), '--rounds', String(rounds)]
  const loop = start(lab, await builtProgram('loop'), [...words, ...files])
  await loop.line()
  const startMs = performance.now()
  for (let round = 1; round < rounds; round++) await loop.line()
  const seconds = (performance.now() - startMs) / 1000
  return ((rounds - 1) * files.length) / seconds / rate
}

const rowsOf = (turns: readonly Turn[]): Row[] => {
  const row = rowsOver(turns, `${turns.length} rounds of ${SECONDS} s`)
  return [
    row('8 streams of 640x480 at 30 fps, watched: the rate of the slowest', '%', (turn) => 100 * turn.least, {
      atLeast: 99,
    }),
    row('  the rate of a thread that only decodes the same', '%', (turn) => 100 * turn.bare),
    row('  pictures of the worst-off viewer', '%', (turn) => 100 * turn.shown),
    row('  the control process, of all CPU', '%', (turn) => 100 * turn.control, { atMost: 25 }),
    row('  all of our processes', 'cores', (turn) => turn.coresUsed),
  ]
}
