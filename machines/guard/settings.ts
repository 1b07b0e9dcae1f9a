// What people set of the resource guard: one document.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const percent = (description: string) => Type.Number({ minimum: 1, maximum: 100, description })

/** As it is stored and shown. */
export const GuardSettings = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether anything is ever cut.' }),
    may_pause: Type.Boolean({
      description: 'Whether a stream may be stopped when nothing less helps. The first one never is.',
    }),
    min_results_per_s: Type.Integer({
      minimum: 1,
      maximum: 200,
      description: 'What a stream that runs has left of its results.',
    }),
    max_celsius: Type.Union([Type.Number({ minimum: 40, maximum: 110 }), Type.Null()], {
      description: oneLine`
        The temperature that the processor is not to reach: from 5 degrees below it on previews give way, from 1 degree
        below it on what streams compute. null: the one at which the device slows itself down, and 95 at most.
      `,
    }),
    max_cpu_pressure: percent(oneLine`
      From which pressure on the processor on (the share of the last 10 s in which a program waited for it, %) a stream
      that is late has others cut.
    `),
    max_memory_pressure: percent('The same for memory, whether or not a stream is late.'),
    max_disk_pressure: percent(oneLine`
      From which pressure on the disk on (the share of the last 10 s in which all programs waited for it, %) recordings
      end.
    `),
    restore_hold_s: Type.Integer({
      minimum: 10,
      maximum: 86_400,
      description: 'For how long a stream that was restored by hand is left alone.',
    }),
  },
  {
    additionalProperties: false,
    title: 'GuardSettings',
    description: 'When the resource guard cuts, and what it may not.',
  },
)
export type GuardSettings = Static<typeof GuardSettings>

/** As they are stored: what is null is left out, since null in a change takes a field away. */
export const StoredGuardSettings = Type.Object(
  { ...GuardSettings.properties, max_celsius: Type.Optional(GuardSettings.properties.max_celsius) },
  { additionalProperties: false },
)

/** As long as nobody has changed anything. */
export const DEFAULT_GUARD_SETTINGS: GuardSettings = {
  enabled: true,
  may_pause: true,
  min_results_per_s: 10, // a robot that drives 4 m/s sees a tag every 40 cm
  max_celsius: null,
  max_cpu_pressure: 25,
  max_memory_pressure: 10,
  max_disk_pressure: 20,
  restore_hold_s: 300,
}
