// The measured performance of a camera's modes on this machine.

import type { Static } from 'typebox'
import { bytesPerSecond } from '../cameras/bandwidth.ts'
import { type CameraMode, CameraUid, modeFields } from '../cameras/mode.ts'
import { bestFirst } from '../cameras/rank.ts'
import { header, RESULT_HEADER, type Result } from '../engine/result.ts'
import type { Fault } from '../errors/fault.ts'
import { FaultDocument } from '../errors/fault-document.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const
const Measured = (description: string) => Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description })

/** A mode with its figures; null: there are none, as the mode gave no pictures. */
export const MeasuredMode = Type.Object(
  {
    ...modeFields,
    measured_fps: Measured('Pictures per second that came and were decoded.'),
    missed: Type.Integer({
      minimum: 0,
      description: 'Pictures meanwhile that did not come, or were not decoded in time.',
    }),
    keeps_rate: Type.Boolean({ description: 'Whether it gives at least nine tenths of what it promises.' }),
    cpu_percent: Measured('Of one core: what the thread that runs pipelines spends on decoding.'),
    decode_ms: Measured(
      'Of a JPEG to its brightness, on the average; raw pictures are copied while they are captured.',
    ),
    bandwidth_mbit_s: Measured('From the camera, on the average.'),
    fault: Type.Union([FaultDocument, Type.Null()], { description: 'Why it gave no pictures; null: it gave some.' }),
  },
  { ...strict, title: 'MeasuredMode', description: 'A mode of a camera with what was measured of it.' },
)
export type MeasuredMode = Static<typeof MeasuredMode>

/** ranking: the best first. */
export const FormatBench = Type.Object(
  {
    camera_uid: CameraUid,
    ranking: Type.Array(MeasuredMode, {
      description: oneLine`
        The best first: those that keep their rate and leave most of a core to the vision, of these the one with the
        most pixels a second, then the one that costs least.
      `,
    }),
  },
  { ...strict, title: 'FormatBench', description: 'What the modes of a camera are worth on this machine.' },
)
export type FormatBench = Static<typeof FormatBench>

/** What was seen of a mode. jpegBytes: sizes of the pictures as they came; none for raw formats. */
export interface Samples {
  readonly results: readonly Result[]
  readonly jpegBytes: readonly number[]
}

const MIN_SHARE = 0.9 // cameras that promise 30 give 29.97, or 28 in a dim room

/** The figures of a mode. Without two pictures it has none, and the fault says why. */
export const toMeasuredMode = (
  mode: CameraMode,
  { results, jpegBytes }: Samples,
  fault: Fault | null,
): MeasuredMode => {
  const [first, last] = [results[0], results.at(-1)]
  const elapsedUs = first && last ? header(last, 'captured_us') - header(first, 'captured_us') : 0
  if (!first || !last || elapsedUs <= 0)
    return {
      ...mode,
      missed: 0,
      keeps_rate: false,
      fault: fault ?? tooFew(mode),
      measured_fps: null,
      cpu_percent: null,
      decode_ms: null,
      bandwidth_mbit_s: null,
    }
  const steps = results.length - 1
  const fps = (steps * 1e6) / elapsedUs
  const afterFirst = results.slice(1)
  const bytes = jpegBytes.length > 0 ? mean(jpegBytes) * fps : bytesPerSecond({ ...mode, fps })
  return {
    ...mode,
    measured_fps: rounded(fps),
    missed: Math.max(0, header(last, 'seq') - header(first, 'seq') - steps),
    keeps_rate: fps >= MIN_SHARE * mode.fps,
    cpu_percent: rounded((sum(afterFirst.map((result) => header(result, 'cpu_us'))) / elapsedUs) * 100),
    decode_ms: rounded(mean(results.map(decodeUs)) / 1000),
    bandwidth_mbit_s: rounded((bytes * 8) / 1e6),
    fault,
  }
}

const tooFew = ({ fps }: CameraMode): Fault => ({
  code: 'camera.unreadable',
  detail: `it gave fewer than two pictures, though it promises ${fps} a second`,
})

/** All stages: the plan does nothing but decode. */
const decodeUs = ({ data, layout }: Result): number => {
  const start = RESULT_HEADER.length
  return sum([...data.subarray(start, start + layout.stages.length)])
}

const MAX_CPU_PERCENT = 50 // the other half of a core is for finding tags in them

/** The best first. */
export const ranked = (modes: readonly MeasuredMode[]): readonly MeasuredMode[] => bestFirst(modes, rankOf)

const rankOf = ({ width_px, height_px, measured_fps, keeps_rate, cpu_percent }: MeasuredMode): readonly number[] => [
  Number(measured_fps !== null),
  Number(keeps_rate),
  Number((cpu_percent ?? 100) <= MAX_CPU_PERCENT),
  Math.round((width_px * height_px * (measured_fps ?? 0)) / 1e6),
  -(cpu_percent ?? 100),
]

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length
const rounded = (value: number): number => Math.round(value * 100) / 100
