// A service with one stream on an emulated camera that takes the same JPEG again and again, and what its threads use.
//
// Counted for a viewer are all threads of the engine but those of JavaScript: those that are given pictures, whatever
// they are called. They use much the same in every second. JavaScript's use as much as they do, and now twice as much,
// now half, as its garbage is collected; what one viewer costs would be lost in that. They are given no picture
// (docs/decisions/0078-viewers-in-the-engine.md), and are looked at apart, in many short pieces, of which the median is
// not moved by a collection but by all that is done for each picture. With them is the thread that stands for the
// camera's driver: one of theirs has started it, and it has its name.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'
import { emulatedUsb } from '../../support/cameras/v4l2/cameras.ts'
import { type CameraModel, cameraModels } from '../../support/cameras/v4l2/models.ts'
import { addStream, type Daemon, metrics, startDaemon } from '../lab/daemon.ts'
import { sourceOn } from '../lab/emulated.ts'
import type { Lab } from '../lab/lab.ts'
import { bytesMoved } from '../lab/processes.ts'
import { SMALL, smallPicture } from '../lab/small-pictures.ts'
import { type Moment, momentsWhile, usedBetween, usedByThose } from '../lab/usage.ts'
import { SECONDS, seenBy } from './audience.ts'

export const FPS = 30
export const MODE = { pixel_format: 'mjpeg', ...SMALL, fps: FPS } as const
const BYTES = 120_000 // of 1280x800

const model: CameraModel = {
  ...cameraModels.globalShutter,
  formats: [{ fourcc: 'MJPG', sizes: [{ width: SMALL.width_px, height: SMALL.height_px, fps: [FPS] }] }],
}

/** The stream that is watched. */
export const ID = 'camera'
export const PREVIEW = `/v1/streams/${ID}/preview`

/** What is used in a second, µs of CPU. */
export interface Usage {
  /** By the threads that are given pictures. */
  readonly counted: number
  /** By those of them that write to viewers. */
  readonly writing: number
  /** By those that run the pipeline. */
  readonly worker: number
  /** By the control process. */
  readonly control: number
  /** By every thread of all our processes. */
  readonly all: number
  /** By all that are not counted, in each second alone. */
  readonly others: readonly number[]
  /** That the control process reads and writes in a second. */
  readonly controlBytes: number
}

/** What it took to show the pictures. */
export interface Watched extends Usage {
  /** In a second, to all. */
  readonly pictures: number
  /** Of the frames, to the viewer that got the fewest. */
  readonly minShare: number
  /** What something beside used in a second. */
  readonly besideUs: number
}

/** As Node and V8 name them. One that is called otherwise is counted. */
const JAVASCRIPT: readonly string[] = ['MainThread', 'V8Worker', 'DelayedTaskSche', 'SignalInspector', 'libuv-worker']
const CAPTURE = 'capture' // native/addon/stream/runner.cc; it writes as far as the kernel takes it
const WORKER = 'worker' // the same file; it decodes
const WRITING: readonly string[] = [CAPTURE, 'viewers'] // native/addon/viewers/viewers.cc

/** A camera whose pictures are watched. */
export interface WatchedCamera {
  /** The file with the JPEG. */
  readonly picture: string
  /** The node of a second camera that takes the same, and env: what a program needs to see it. */
  readonly other: string
  readonly env: Readonly<Record<string, string>>
  readonly daemon: Daemon
  readonly metrics: () => ReturnType<typeof metrics>
  /** What is used while one waits. */
  readonly usage: (wait: () => Promise<unknown>) => Promise<Usage>
  /**
   * What is used while so many watch, and what they got. beside: what something else uses while one waits, µs in a
   * second.
   */
  readonly watchedBy: (count: number, beside?: (wait: () => Promise<unknown>) => Promise<number>) => Promise<Watched>
}

export const watchedCamera = async (lab: Lab, pipeline: GraphDocument): Promise<WatchedCamera> => {
  const picture = await smallPicture(lab, BYTES)
  const usb = emulatedUsb({ after: lab.defer })
  const [ours, other] = [usb.plug(model, { serial: 'A' }), usb.plug(model, { serial: 'B' })]
  for (const camera of [ours, other]) camera.showPictures([readFileSync(picture)])
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), nt4: 'off', env: usb.environment })
  const source = await sourceOn(daemon, ours.device, MODE)
  await addStream(daemon, { id: ID, internal: true, source, pipeline })
  const figures = () => metrics(daemon, ID)
  const usage = async (wait: () => Promise<unknown>): Promise<Usage> => {
    const { engine_pid } = await figures()
    const bytesBefore = bytesOf(daemon.pid)
    const moments = await momentsWhile(daemon.pid, wait)
    return usageOver(moments, { control: daemon.pid, engine: engine_pid }, bytesOf(daemon.pid) - bytesBefore)
  }
  const watchedBy: WatchedCamera['watchedBy'] = async (count, beside = async () => 0) => {
    const before = { frames: 0 }
    const audience = { port: new URL(daemon.url).port, path: PREVIEW, count }
    const seen = await seenBy(lab, audience, async (wait) => {
      before.frames = (await figures()).frames
      const [ours, besideUs] = await Promise.all([usage(wait), beside(wait)])
      return { ...ours, besideUs }
    })
    const frames = (await figures()).frames - before.frames
    // A frame at either end may fall outside of the readers' time.
    const minShare = Math.min(1, (seen.min_parts + 1) / frames)
    return { ...seen.measured, pictures: seen.parts / SECONDS, minShare }
  }
  return { picture, other: other.device, env: usb.environment, daemon, metrics: figures, usage, watchedBy }
}

const bytesOf = (pid: number): number => {
  const { read, written } = bytesMoved(pid)
  return read + written
}

type Pids = Readonly<Record<'control' | 'engine', number>>

const usageOver = (moments: readonly Moment[], { control, engine }: Pids, controlBytes: number): Usage => {
  const [first, last] = [moments[0] as Moment, moments.at(-1) as Moment]
  const isCounted = (pid: number, name: string) => pid === engine && !JAVASCRIPT.includes(name)
  const isWriting = (pid: number, name: string) => pid === engine && WRITING.includes(name)
  const isWorker = (pid: number, name: string) => pid === engine && name === WORKER
  const threads = [...(last.usage.get(engine)?.threads.values() ?? [])]
  if (!threads.some(({ name }) => name === CAPTURE)) throw new Error(`the engine has no thread ${CAPTURE}`)
  const seconds = (last.atMs - first.atMs) / 1000
  const perSecond = (us: number) => us / seconds
  return {
    counted: perSecond(usedByThose(first.usage, last.usage, isCounted)),
    writing: perSecond(usedByThose(first.usage, last.usage, isWriting)),
    worker: perSecond(usedByThose(first.usage, last.usage, isWorker)),
    control: perSecond(usedByThose(first.usage, last.usage, (pid) => pid === control)),
    all: perSecond(usedBetween(first.usage, last.usage)),
    others: moments.slice(1).map(({ usage, atMs }, n) => {
      const before = moments[n] as Moment
      const us = usedBetween(before.usage, usage) - usedByThose(before.usage, usage, isCounted)
      return (us * 1000) / (atMs - before.atMs)
    }),
    controlBytes: perSecond(controlBytes),
  }
}
