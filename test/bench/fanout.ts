// What it costs to show a camera's own JPEG to many, against a bare loop of send() with the same bytes to the same readers, turn about in one run.
//
// Counted is all that showing costs, in all our processes: the engine's threads that make and write the parts, which do nothing else; and what its JavaScript and
// the control process use more than in the same time without viewers. The threads of the camera and the pipeline do the same either way, and a hundred times as
// much: their jitter would hide the rest.
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { GraphDocument } from '../../machines/pipeline/graph.ts'
import { perSecond, SECONDS, seenBy } from './audience.ts'
import { builtProgram } from './build.ts'
import { addStream, type Daemon, metrics, startDaemon } from './daemon.ts'
import { type Lab, type Measurement, start } from './lab.ts'
import { processCpuUs, rssMb, threadCpuUs } from './processes.ts'
import { type Row, rowsOver, spread } from './row.ts'
import { MOUNT, renderJpegs } from './scenes.ts'

const ROUNDS = 6
const FPS = 30
const CROWDS = [1, 4, 32]
/** The stream that is watched. */
export const ID = 'camera'

/** Looks for tags in a corner: a pipeline must do something, and this is little. */
export const CORNER: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'corner', type: 'crop', params: { x_px: 0, y_px: 0, width_px: 64, height_px: 64 } },
    { id: 'gray', type: 'gray' },
    { id: 'tags', type: 'apriltag' },
  ],
  edges: [
    { from: 'source.image', to: 'corner.image' },
    { from: 'corner.image', to: 'gray.image' },
    { from: 'gray.image', to: 'tags.image' },
  ],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
}

/** What was used in a second, µs of CPU. control: by the control process. script: by the engine's JavaScript. show: by its threads that show pictures. */
interface Usage {
  readonly control: number
  readonly script: number
  readonly show: number
}

/** pictures: in a second, to all. leastShare: of the frames, to the viewer that got the fewest. */
interface Watched {
  readonly pictures: number
  readonly leastShare: number
}

/** One crowd in one round. idle: without viewers. */
interface Turn {
  readonly idle: Usage
  readonly ours: Usage & Watched
  readonly bareUs: number
  readonly barePictures: number
}

export const fanout: Measurement = async (lab) => {
  const synthetic = { source: { backend: 'synthetic', fps: 10 }, pose: MOUNT } as const
  const [picture] = (await renderJpegs(lab, { manifest: synthetic, name: 'picture', count: 1 })) as [string]
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data') })
  const source = { backend: 'images', path: picture, fps: FPS } as const
  await addStream(daemon, { id: ID, internal: true, source, pipeline: CORNER })
  const turns = new Map<number, Turn[]>(CROWDS.map((count) => [count, []]))
  await ours(lab, daemon, Math.max(...CROWDS)) // warm
  for (let round = 0; round < ROUNDS; round++) {
    for (const [count, found] of turns) {
      const idle = await usageOf(daemon, () => delay(SECONDS * 1000))
      const turn = { idle, ours: await ours(lab, daemon, count), ...(await bare(lab, picture, count)) }
      found.push(turn)
      const us = [usPerPicture(turn), bareUsPerPicture(turn)].map((each) => each.toFixed(1))
      lab.say(`${count} viewers: ${us[0]} against ${us[1]} µs per picture and viewer`)
    }
  }
  const stalled = await withOneStalled(lab, daemon)
  return [...[...turns].flatMap(([count, found]) => rowsOf(count, found)), ...stalled]
}

const usPerPicture = ({ idle, ours: { control, script, show, pictures } }: Turn): number =>
  (show + control - idle.control + script - idle.script) / pictures
const bareUsPerPicture = ({ bareUs, barePictures }: Turn): number => bareUs / barePictures
const PERCENT_OF_A_CORE = 1e-4 // per microsecond in a second

const rowsOf = (count: number, turns: readonly Turn[]): Row[] => {
  const row = rowsOver(turns, `${turns.length} rounds of ${SECONDS} s`)
  const moreControl = ({ idle, ours }: Turn) => (ours.control - idle.control) * PERCENT_OF_A_CORE
  const isMost = count === Math.max(...CROWDS)
  return [
    row(
      `CPU of all our processes per picture and viewer, ${count} at 30 fps, against a bare send loop`,
      '',
      (turn) => usPerPicture(turn) / bareUsPerPicture(turn),
      { atMost: 1.15 },
    ),
    row('  ours', 'µs', usPerPicture),
    row("  of that the engine's threads that show pictures", 'µs', ({ ours }) => ours.show / ours.pictures),
    row('  the bare loop', 'µs', bareUsPerPicture),
    row('  pictures of the worst-off viewer', '%', ({ ours }) => 100 * ours.leastShare, { atLeast: 99 }),
    row(
      '  the control process, more than without viewers',
      '% of a core',
      moreControl,
      isMost ? { atMost: 1 } : undefined,
    ),
  ]
}

/** What showing pictures to so many uses, and what they got. */
export const ours = async (lab: Lab, daemon: Daemon, count: number): Promise<Usage & Watched> => {
  const before = { frames: 0 }
  const seen = await seenBy(lab, { port: new URL(daemon.url).port, path: PREVIEW, count }, async (wait) => {
    before.frames = (await metrics(daemon, ID)).frames
    return usageOf(daemon, wait)
  })
  const frames = (await metrics(daemon, ID)).frames - before.frames
  // A frame at either end may fall outside of the readers' time.
  return { ...seen.measured, pictures: seen.parts / SECONDS, leastShare: Math.min(1, (seen.least_parts + 1) / frames) }
}

export const PREVIEW = `/v1/streams/${ID}/preview`

const bare = async (lab: Lab, picture: string, count: number): Promise<{ bareUs: number; barePictures: number }> => {
  const words = ['--fps', String(FPS), '--clients', String(count), '--frames', String(1_000_000)]
  const server = start(lab, await builtProgram('send'), [picture, ...words])
  const { measured, parts } = await seenBy(lab, { port: await server.line(), path: '/', count }, (wait) =>
    perSecond(() => processCpuUs(server.pid), wait),
  )
  await server.stop()
  return { bareUs: measured, barePictures: parts / SECONDS }
}

/** What is used while one waits. */
export const usageOf = async (daemon: Daemon, wait: () => Promise<unknown>): Promise<Usage> => {
  const { engine_pid } = await metrics(daemon, ID)
  const threads = threadsOf(engine_pid)
  const readers: Record<keyof Usage, () => number> = {
    control: () => processCpuUs(daemon.pid),
    script: () => cpuOf(engine_pid, threads, (name) => !NATIVE.includes(name)),
    show: () => cpuOf(engine_pid, threads, (name) => SHOWING.includes(name)),
  }
  let waiting: Promise<unknown> | undefined
  const together = () => (waiting ??= wait())
  const [control, script, show] = await Promise.all([
    perSecond(readers.control, together),
    perSecond(readers.script, together),
    perSecond(readers.show, together),
  ])
  return { control, script, show }
}

const SHOWING = ['encoder', 'viewers']
const NATIVE = [...SHOWING, 'capture', 'worker']

const threadsOf = (pid: number): ReadonlyMap<number, string> =>
  new Map(
    readdirSync(`/proc/${pid}/task`).map((id) => [
      Number(id),
      readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim(),
    ]),
  )

const cpuOf = (pid: number, threads: ReadonlyMap<number, string>, isCounted: (name: string) => boolean): number =>
  [...threads].reduce((sum, [id, name]) => sum + (isCounted(name) ? threadCpuUs(pid, id) : 0), 0)

const OTHERS = 9
const STALLED_ROUNDS = 3

/** Nine who read, and one who reads nothing. */
const withOneStalled = async (lab: Lab, daemon: Daemon): Promise<Row[]> => {
  const lost: number[] = []
  const grown: number[] = []
  for (let round = 0; round < STALLED_ROUNDS; round++) {
    const stalled = connect(Number(new URL(daemon.url).port), '127.0.0.1')
    stalled.write(`GET ${PREVIEW} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`) // nothing is ever read
    lab.defer(() => stalled.destroy())
    const { engine_pid } = await metrics(daemon, ID)
    const memoryMb = () => rssMb(engine_pid) + rssMb(daemon.pid)
    await ours(lab, daemon, OTHERS)
    const beforeMb = memoryMb()
    const { leastShare } = await ours(lab, daemon, OTHERS)
    lost.push(Math.round((1 - leastShare) * FPS * SECONDS))
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
