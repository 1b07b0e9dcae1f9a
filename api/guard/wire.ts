// The resource guard as people see it.
import type { Static } from 'typebox'
import { CauseField, MeasureField } from '../../machines/guard/causes.ts'
import { GuardedStatus, GuardReason, guardedExample } from '../../machines/guard/guarded-status.ts'
import { DEFAULT_GUARD_SETTINGS, GuardSettings } from '../../machines/guard/settings.ts'
import { GuardStateName } from '../../machines/guard/state-name.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'

const strict = { additionalProperties: false } as const
const known = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description} null: the device does not tell.` })

const GuardFigures = Type.Object(
  {
    celsius: known('The hottest place on the processor.'),
    limit_celsius: known('At which the device slows itself down.'),
    is_throttled: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether the processor is slowed down. null: the device does not tell.',
    }),
    cpu_pressure: known('The share of the last 10 s in which a program waited for the processor, %.'),
    cpu_load: known('The share of the last second in which the processors computed, %.'),
    memory_some: known('The share of the last 10 s in which a program waited for memory, %.'),
    memory_full: known('The share of the last 10 s in which all programs waited for memory, %.'),
    memory_available: known('What programs could still have of all memory, %.'),
    io_full: known('The share of the last 10 s in which all programs waited for the disk, %.'),
    disk_free: known('What of the disk with the data folder can still be written, %.'),
  },
  { ...strict, title: 'GuardFigures', description: 'What the guard goes by.' },
)

const GuardCause = Type.Object(
  {
    cause: CauseField,
    measure: MeasureField,
    asks: Type.Enum(['cut', 'keep'], {
      description: '`cut`: more is cut as long as it lasts. `keep`: nothing more, and nothing is given back.',
    }),
    value: Type.Number({ description: 'What it is.' }),
    limit: Type.Number({ description: 'What it may be; the least for memory_available and disk_free.' }),
  },
  { ...strict, title: 'GuardCause', description: 'What the device has too little of now.' },
)

const GuardedStream = Type.Object(
  {
    stream_id: StreamId,
    lateness: Type.Number({ description: 'How late its results are: from 1 on they are late.' }),
    guard: Type.Union([GuardedStatus, Type.Null()], { description: 'What is taken from it; null: nothing.' }),
  },
  { ...strict, title: 'GuardedStream', description: 'How a stream fares.' },
)

const GuardDecision = Type.Object(
  {
    at_ms: Type.Integer({ description: 'Unix time.' }),
    stream_id: StreamId,
    what: Type.Enum(['cut', 'returned', 'restored'], {
      description: oneLine`
        \`cut\`: something was taken from it. \`returned\`: it got some back. \`restored\`: somebody gave it all back by
        hand.
      `,
    }),
    why: Type.Union([GuardReason, Type.Null()], { description: 'Of a cut; else null.' }),
    detail: Type.String({ description: 'What it had from then on, in a sentence.' }),
  },
  { ...strict, title: 'GuardDecision', description: 'What the guard has decided.' },
)

/** The answer. */
export const ResourceGuard = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: 'Of the settings; 0: nobody has changed any.' }),
    state: GuardStateName,
    settings: GuardSettings,
    figures: Type.Union([GuardFigures, Type.Null()], { description: 'null: it does not look now.' }),
    max_celsius: Type.Union([Type.Number(), Type.Null()], {
      description: 'The temperature that is not to be reached, as the settings and the device have it.',
    }),
    causes: Type.Array(GuardCause, { description: 'What there is too little of now.' }),
    streams: Type.Array(GuardedStream, { description: 'Those that are to run; who is cut last comes first.' }),
    decisions: Type.Array(GuardDecision, { description: 'The last hundred since the start, the newest first.' }),
  },
  {
    ...strict,
    title: 'ResourceGuard',
    description: 'What is taken from streams since the device has too little for all, and why.',
  },
)
export type ResourceGuard = Static<typeof ResourceGuard>

/** As the references show it. */
export const resourceGuardExample: ResourceGuard = {
  revision: 0,
  state: 'limiting',
  settings: DEFAULT_GUARD_SETTINGS,
  figures: {
    celsius: 84,
    limit_celsius: 85,
    is_throttled: false,
    cpu_pressure: 12.4,
    cpu_load: 71,
    memory_some: 0,
    memory_full: 0,
    memory_available: 61.2,
    io_full: 0,
    disk_free: 70.1,
  },
  max_celsius: 85,
  causes: [{ cause: 'heat', measure: 'celsius', asks: 'cut', value: 84, limit: 80 }],
  streams: [{ stream_id: 'front', lateness: 0.2, guard: guardedExample }],
  decisions: [
    {
      at_ms: 1_767_225_600_000,
      stream_id: 'front',
      what: 'cut',
      why: guardedExample.why,
      detail: guardedExample.detail,
    },
  ],
}
