// How the device is fed: whether that is enough, since when and how often it was not, and what its rails carry.
import type { Static } from 'typebox'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { faultsOfConditions } from './condition-faults.ts'
import type { Conditions } from './conditions.ts'
import { SLOWED_BY, SlowedBy } from './metrics.ts'
import { DeviceRuns } from './release.ts'

const strict = { additionalProperties: false } as const
/** A voltage, a current or a power that is measured. */
export const PowerRail = Type.Object(
  {
    name: Type.String({ maxLength: 64, description: 'As the chip that measures it calls it.' }),
    volts: orNull(Type.Number(), 'null: not measured, or not to be read now.'),
    amperes: orNull(Type.Number(), 'null: not measured, or not to be read now.'),
    watts: orNull(Type.Number(), 'null: not measured, or not to be read now.'),
  },
  { ...strict, title: 'PowerRail', description: 'One supply within the device, as a chip measures it.' },
)
export type PowerRail = Static<typeof PowerRail>

const PowerCondition = Type.Object(
  {
    what: SlowedBy,
    now: Type.Boolean({ description: 'Whether it is so, or was within the last five seconds.' }),
    since_ms: orNull(Type.Integer(), 'Since when it is so or not so, Unix time. null: since before it is watched.'),
    times: Type.Integer({ minimum: 0, description: 'How often it began since the service was started.' }),
    since_start: Type.Boolean({ description: 'Whether it was so at any time since the device was started.' }),
  },
  { ...strict, title: 'PowerCondition', description: 'Something that a weak supply or heat does to the processor.' },
)

/** How the device is fed. */
export const PowerStatus = Type.Object(
  {
    conditions: Type.Array(PowerCondition, { maxItems: 4, description: 'None: the device tells none of them.' }),
    trouble: orNull(Type.String(), 'What is wrong now and what can be done, for people. null: nothing.'),
    rails: Type.Array(PowerRail, { maxItems: 128, description: 'None: nothing measures any.' }),
    runs: DeviceRuns,
  },
  { ...strict, title: 'PowerStatus', description: 'How the device is fed.' },
)
export type PowerStatus = Static<typeof PowerStatus>

export const powerStatusExample: PowerStatus = {
  conditions: [
    { what: 'under-voltage', now: false, since_ms: 1_767_225_600_000, times: 2, since_start: true },
    { what: 'frequency-capped', now: false, since_ms: null, times: 0, since_start: false },
    { what: 'throttled', now: false, since_ms: null, times: 0, since_start: true },
    { what: 'temperature-limit', now: false, since_ms: null, times: 0, since_start: false },
  ],
  trouble: null,
  rails: [{ name: 'EXT5V', volts: 5.07, amperes: null, watts: null }],
  runs: { starts: 12, unsafe_shutdowns: 9, last_was_unsafe: true },
}

/** What the wire says of them. toMs: of a moment of CLOCK_MONOTONIC. */
export const powerStatusOf = (
  conditions: Conditions,
  rails: readonly PowerRail[],
  runs: DeviceRuns,
  toMs: (us: number) => number,
): PowerStatus => {
  const known = conditions && SLOWED_BY.map((what) => ({ what, ...conditions[what] }))
  const troubles = faultsOfConditions((known ?? []).filter(({ isPresent }) => isPresent).map(({ what }) => what))
  return {
    conditions: (known ?? []).map(({ what, isPresent, since_us, times, since_start }) => ({
      what,
      now: isPresent,
      since_ms: since_us === null ? null : toMs(since_us),
      times,
      since_start,
    })),
    trouble: troubles.length > 0 ? troubles.map(({ detail }) => detail).join(' ') : null,
    rails: [...rails],
    runs,
  }
}
