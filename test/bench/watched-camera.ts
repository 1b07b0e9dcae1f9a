// A service with one stream on an emulated camera that takes the same JPEG again and again, and what is used to show it: watched against not watched.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { emulatedUsb } from '../support/v4l2/cameras.ts'
import { type CameraModel, cameraModels } from '../support/v4l2/models.ts'
import { SECONDS, seenBy } from './audience.ts'
import { addStream, type Daemon, metrics, startDaemon } from './daemon.ts'
import { sourceOn } from './emulated.ts'
import { LITTLE } from './graphs.ts'
import type { Lab } from './lab.ts'
import { SMALL, smallPicture } from './small-pictures.ts'
import { usedPerSecond } from './usage.ts'

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

/** What is used in a second, µs of CPU, by every thread. all: of all our processes. control: of the control process. */
export interface Usage {
  readonly all: number
  readonly control: number
}

/** pictures: in a second, to all. leastShare: of the frames, to the viewer that got the fewest. */
export interface Watched extends Usage {
  readonly pictures: number
  readonly leastShare: number
}

/** picture: the file with the JPEG. other: the node of a second camera that takes the same, and env: what a program needs to see it. */
export interface WatchedCamera {
  readonly picture: string
  readonly other: string
  readonly env: Readonly<Record<string, string>>
  readonly daemon: Daemon
  readonly metrics: () => ReturnType<typeof metrics>
  /** What is used while one waits. */
  readonly usage: (wait: () => Promise<unknown>) => Promise<Usage>
  /** What is used while so many watch, and what they got. */
  readonly watchedBy: (count: number) => Promise<Watched>
}

export const watchedCamera = async (lab: Lab): Promise<WatchedCamera> => {
  const picture = await smallPicture(lab, BYTES)
  const usb = emulatedUsb({ after: lab.defer })
  const [ours, other] = [usb.plug(model, { serial: 'A' }), usb.plug(model, { serial: 'B' })]
  for (const camera of [ours, other]) camera.showPictures([readFileSync(picture)])
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), nt4: 'off', env: usb.environment })
  const source = await sourceOn(daemon, ours.device, MODE)
  await addStream(daemon, { id: ID, internal: true, source, pipeline: LITTLE })
  const usage = async (wait: () => Promise<unknown>): Promise<Usage> => {
    const { allUs, firstUs } = await usedPerSecond(daemon.pid, wait)
    return { all: allUs, control: firstUs }
  }
  const figures = () => metrics(daemon, ID)
  const watchedBy = async (count: number): Promise<Watched> => {
    const before = { frames: 0 }
    const audience = { port: new URL(daemon.url).port, path: PREVIEW, count }
    const seen = await seenBy(lab, audience, async (wait) => {
      before.frames = (await figures()).frames
      return usage(wait)
    })
    const frames = (await figures()).frames - before.frames
    // A frame at either end may fall outside of the readers' time.
    const leastShare = Math.min(1, (seen.least_parts + 1) / frames)
    return { ...seen.measured, pictures: seen.parts / SECONDS, leastShare }
  }
  return { picture, other: other.device, env: usb.environment, daemon, metrics: figures, usage, watchedBy }
}
