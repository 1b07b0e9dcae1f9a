// What the resource guard takes from a stream, as its status shows it, and in words.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { CauseField, MeasureField } from './causes.ts'
import { isCut, type StreamLevel, type StreamLimit } from './levels.ts'
import type { Reason } from './policy.ts'

const strict = { additionalProperties: false } as const
const orNull = (maximum: number, description: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum }), Type.Null()], { description })

/** What was measured when something was cut. */
export const GuardReason = Type.Object(
  {
    cause: CauseField,
    measure: MeasureField,
    value: Type.Number({ description: 'What it was.' }),
    limit: Type.Number({ description: 'What it may be; the least for memory_available and disk_free.' }),
  },
  { ...strict, title: 'GuardReason', description: 'Why something was cut.' },
)

/** What is taken from a stream. */
export const GuardedStatus = Type.Object(
  {
    preview_fps: orNull(200, 'Pictures a second that each viewer gets at most; null: as many as it asked for.'),
    preview_width_px: orNull(
      8_192,
      oneLine`
        How wide they are at most; null: as wide as they were asked for. A camera's own JPEGs stay as they are: to
        make them smaller would cost more.
      `,
    ),
    takes_every: Type.Integer({ minimum: 1, description: 'Of how many pictures one is processed; 1: each.' }),
    stops_recording: Type.Boolean({ description: 'Whether nothing of it may be recorded.' }),
    is_paused: Type.Boolean({ description: 'Whether nothing of it runs: no engine, and the camera is closed.' }),
    since_ms: Type.Integer({ description: 'When that was changed last, Unix time.' }),
    why: Type.Union([GuardReason, Type.Null()], { description: 'null: nothing is taken from it.' }),
    detail: Type.String({ description: 'The same in a sentence.' }),
    held_until_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Until when nothing is taken from it, since somebody restored it, Unix time; null: nobody did.',
    }),
  },
  { ...strict, title: 'GuardedStatus', description: 'What the resource guard takes from a stream.' },
)
export type GuardedStatus = Static<typeof GuardedStatus>

/** As the references show it. */
export const guardedExample: GuardedStatus = {
  preview_fps: 5,
  preview_width_px: null,
  takes_every: 1,
  stops_recording: false,
  is_paused: false,
  since_ms: 1_767_225_600_000,
  why: { cause: 'heat', measure: 'celsius', value: 84, limit: 80 },
  detail:
    'Previews show at most 5 pictures a second, since the processor was 84 °C warm and this gives way from 80 °C on.',
  held_until_ms: null,
}

/** What was seen, in words. */
export const reasonWords = ({ measure, value, limit }: Reason): string => {
  const [is, most] = [shown(value), shown(limit)]
  if (measure === 'celsius') return `the processor was ${is} °C warm and this gives way from ${most} °C on`
  if (measure === 'throttled') return 'the device has slowed its processor down'
  if (measure === 'cpu_pressure')
    return `a stream was late and programs waited for the processor ${is} % of the time (limit ${most} %)`
  if (measure === 'cpu_load') return `a stream was late and the processor was busy ${is} % of the time`
  if (measure === 'memory_available') return `only ${is} % of the memory was left (at least ${most} %)`
  if (measure === 'memory_some') return `programs waited for memory ${is} % of the time (limit ${most} %)`
  if (measure === 'memory_full') return `all programs waited for memory ${is} % of the time (limit ${most} %)`
  if (measure === 'io_full') return `all programs waited for the disk ${is} % of the time (limit ${most} %)`
  return `only ${is} % of the disk was left (at least ${most} %)`
}

const shown = (value: number): string => String(Math.round(10 * value) / 10)

/** What is taken, in words; empty: nothing. */
export const limitWords = ({
  preview_fps,
  preview_width_px,
  skip,
  stops_recording,
  is_paused,
}: StreamLimit): readonly string[] => {
  if (is_paused) return ['it is stopped']
  const previews = [
    ...(preview_fps === null ? [] : [`at most ${preview_fps} pictures a second`]),
    ...(preview_width_px === null ? [] : [`${preview_fps === null ? 'pictures ' : ''}${preview_width_px} pixels wide`]),
  ]
  return [
    ...(previews.length > 0 ? [`previews show ${previews.join(', ')}`] : []),
    ...(stops_recording ? ['nothing of it is recorded'] : []),
    ...(skip > 0 ? [`one of ${skip + 1} pictures is processed`] : []),
  ]
}

/** What there is to say of a stream. Times: Unix. */
export interface GuardedParts {
  readonly level: StreamLevel
  readonly limit: StreamLimit
  readonly why: Reason | null
  readonly since_ms: number
  readonly held_until_ms: number | null
}

/** The status; null: nothing is taken, and nobody has restored it just now. */
export const guardedStatus = ({ level, limit, why, since_ms, held_until_ms }: GuardedParts): GuardedStatus | null => {
  if (!isCut(level) && held_until_ms === null) return null
  const words = limitWords(limit).join('; ')
  const because = why ? `, since ${reasonWords(why)}` : ''
  return {
    preview_fps: limit.preview_fps,
    preview_width_px: limit.preview_width_px,
    takes_every: limit.skip + 1,
    stops_recording: limit.stops_recording,
    is_paused: limit.is_paused,
    since_ms,
    why: why && { ...why, value: Math.round(100 * why.value) / 100 },
    detail: words
      ? `${words.charAt(0).toUpperCase()}${words.slice(1)}${because}.`
      : 'Somebody restored it; nothing is taken from it for a while.',
    held_until_ms,
  }
}
