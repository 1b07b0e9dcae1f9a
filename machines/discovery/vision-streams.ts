// The pictures that the other vision product (extvision) serves: as it tells them, or as its ports do, and as the wire
// shows them. What it tells is a stranger's word: everything is looked at before it is used, and cut where it would
// grow.

import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { FaultDocument } from '../errors/fault-document.ts'
import { addressText } from '../nt4/target.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import type { BaseUrl } from './base-url.ts'

/** Where the page of the product is, and its HTTP interface. */
export const VISION_PORT = 5800
/**
 * Where its first camera serves its pictures as they come; one port further it serves those with the results drawn into
 * them; and so on, two for each camera.
 */
export const FIRST_STREAM_PORT = 1181
/** As many as are looked at where nobody tells which there are. */
export const STREAM_PORTS = 20

const MAX_CAMERAS = 32
const MAX_TEXT_LENGTH = 128

const strict = { additionalProperties: false } as const
export const VisionStream = Type.Object(
  {
    id: Type.String({ description: '`extvision:<host>:<port>`.' }),
    name: orNull(Type.String(), 'What the camera is called there; null: it is not known.'),
    kind: Type.Enum(['output', 'input'], {
      description: 'output: with the results drawn into the pictures. input: as they come from the camera.',
    }),
    url: Type.String({ description: 'Live JPEGs; for the source of a stream of the backend `url`.' }),
    camera_key: orNull(Type.String(), 'By which the product knows the camera; null: it is not known.'),
    connected: orNull(
      Type.Boolean(),
      'Whether the camera is there. A stream of one that is not shows a picture that says so. null: it is not known.',
    ),
    driver_mode: orNull(Type.Boolean(), 'Whether nothing is looked for in the pictures; null: it is not known.'),
    width_px: orNull(Type.Integer({ minimum: 1 }), 'null: it is not known.'),
    height_px: orNull(Type.Integer({ minimum: 1 }), 'null: it is not known.'),
    fps: orNull(Type.Number({ exclusiveMinimum: 0 }), 'Of the camera, at most; null: it is not known.'),
  },
  { ...strict, title: 'ExtvisionStream', description: 'Pictures that the other vision product serves.' },
)
export type VisionStream = Static<typeof VisionStream>

export const VisionStreams = Type.Object(
  {
    base_url: Type.String({ description: 'Where it was looked at.' }),
    is_extvision: Type.Boolean({
      description: oneLine`
        Whether it is the other vision product. false, with streams: another program that serves pictures in the same
        way.
      `,
    }),
    product_version: orNull(Type.String(), 'null: it is not known.'),
    hostname: orNull(Type.String(), 'What it calls itself; null: it is not known.'),
    method: orNull(
      Type.Enum(['websocket', 'ports']),
      'websocket: it has told its cameras. ports: it has not, and its ports were looked at. null: nothing was found.',
    ),
    streams: Type.Array(VisionStream, { description: 'By port.' }),
    fault: orNull(FaultDocument, 'Why there is nothing; null: all is well.'),
  },
  { ...strict, title: 'ExtvisionStreams', description: 'What the other vision product serves.' },
)

/** What was found. */
export interface VisionSeen extends Omit<Static<typeof VisionStreams>, 'base_url' | 'fault' | 'streams'> {
  readonly streams: readonly VisionStream[]
  readonly fault: Fault | null
}

/** As the wire shows it. */
export const visionView = (
  { origin }: BaseUrl,
  { fault, streams, ...seen }: VisionSeen,
): Static<typeof VisionStreams> => ({
  base_url: origin,
  ...seen,
  streams: [...streams],
  fault: fault && { code: fault.code, detail: fault.detail },
})

/** What the first messages of the product tell; undefined: this one does not tell of cameras. */
export const readVisionMessage = (message: unknown, host: string): VisionSeen | undefined => {
  const cameras = part(message, 'cameraSettings')
  if (!Array.isArray(cameras)) return undefined
  const settings = part(message, 'settings')
  return {
    is_extvision: true,
    product_version: text(part(part(settings, 'general'), 'version')),
    hostname: text(part(part(settings, 'networkSettings'), 'hostname')),
    method: 'websocket',
    streams: byPort(cameras.slice(0, MAX_CAMERAS).flatMap((camera) => streamsOf(camera, host))),
    fault: null,
  }
}

/** Pictures on a port of which nothing else is known. */
export const streamAtPort = (host: string, port: number): VisionStream => ({
  ...placeOf(host, port, (port - FIRST_STREAM_PORT) % 2 === 0 ? 'input' : 'output'),
  name: null,
  camera_key: null,
  connected: null,
  driver_mode: null,
  width_px: null,
  height_px: null,
  fps: null,
})

const byPort = (streams: readonly VisionStream[]): readonly VisionStream[] =>
  [...new Map(streams.map((stream) => [stream.id, stream])).values()].sort((a, b) => portOf(a) - portOf(b))

const portOf = ({ id }: VisionStream): number => Number(id.slice(id.lastIndexOf(':') + 1))

const placeOf = (host: string, port: number, kind: VisionStream['kind']) => ({
  id: `extvision:${addressText({ host, port })}`,
  kind,
  url: `http://${addressText({ host, port })}/stream.mjpg`,
})

const streamsOf = (camera: unknown, host: string): readonly VisionStream[] => {
  const pipeline = part(camera, 'currentPipelineIndex')
  const about = {
    name: text(part(camera, 'nickname')),
    camera_key: text(part(camera, 'uniqueName')),
    connected: flag(part(camera, 'isConnected')),
    driver_mode: typeof pipeline === 'number' ? pipeline === DRIVER_MODE : null,
    ...shapeOf(camera),
  }
  return (['output', 'input'] as const).flatMap((kind) => {
    const port = whole(part(camera, `${kind}StreamPort`), 1, 65_535)
    return port === undefined ? [] : [{ ...placeOf(host, port, kind), ...about }]
  })
}

const DRIVER_MODE = -1
/** By the place in the list of divisors that the product has. */
const DIVISORS = [1, 2, 4, 6]
const MAX_PX = 16_384
const MAX_FPS = 1_000

/** Of the mode that is in use: divided for the viewers, and on its side when the camera is. */
const shapeOf = (camera: unknown): Pick<VisionStream, 'width_px' | 'height_px' | 'fps'> => {
  const pipeline = part(camera, 'currentPipelineSettings')
  const index = whole(part(pipeline, 'cameraVideoModeIndex'), 0, 10_000)
  const mode = index === undefined ? undefined : part(part(camera, 'videoFormatList'), String(index))
  const [width, height] = [whole(part(mode, 'width'), 1, MAX_PX), whole(part(mode, 'height'), 1, MAX_PX)]
  const divisor = DIVISORS[whole(part(pipeline, 'streamingFrameDivisor'), 0, DIVISORS.length - 1) ?? 0] as number
  const isOnItsSide = (whole(part(pipeline, 'inputImageRotationMode'), 0, 3) ?? 0) % 2 === 1
  const fps = rate(part(mode, 'fps'))
  const limit = rate(part(camera, 'fpsLimit'))
  const size =
    width !== undefined && height !== undefined
      ? [width, height].map((px) => Math.max(1, Math.floor(px / divisor)))
      : []
  const [width_px = null, height_px = null] = isOnItsSide ? size.toReversed() : size
  return { width_px, height_px, fps: fps === null ? limit : Math.min(fps, limit ?? fps) }
}

/** Of an object, a list or nothing at all. */
const part = (whole: unknown, name: string): unknown =>
  typeof whole === 'object' && whole !== null && Object.hasOwn(whole, name)
    ? (whole as Readonly<Record<string, unknown>>)[name]
    : undefined

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT_LENGTH) : null

const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)

const whole = (value: unknown, least: number, most: number): number | undefined =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most ? (value as number) : undefined

const rate = (value: unknown): number | null =>
  typeof value === 'number' && value > 0 && value <= MAX_FPS ? value : null
