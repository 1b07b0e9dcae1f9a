// The starts of the device, counted by this service: a robot's device has no clock that goes on without power, so that
// the number of the start and the time since then are what lines can be put in order by.
import type { Static } from 'typebox'
import Type from '../schema/type.ts'

const MAX_BOOTS = 100

/** One start of the device. */
export const Boot = Type.Object(
  {
    boot: Type.Integer({ minimum: 1, description: 'Its number: each start of the device has the next one.' }),
    boot_id: Type.String({ description: 'What the system calls it; empty: it does not say.' }),
    at_ms: Type.Integer({
      description: 'Unix time when the service was first started in it, by the clock as it stood then.',
    }),
  },
  { additionalProperties: false, title: 'LogBoot', description: 'A start of the device.' },
)
export type Boot = Static<typeof Boot>

/** The starts that are remembered, with the one of now at their end. lastBoot: the highest that stands in any line. */
export const withBootOfNow = (
  known: readonly Boot[],
  now: Omit<Boot, 'boot'>,
  lastBoot: number,
): readonly [Boot, ...Boot[]] => {
  const last = known.at(-1)
  if (last && last.boot >= lastBoot && last.boot_id !== '' && last.boot_id === now.boot_id) return known as [Boot]
  const boot = Math.max(last?.boot ?? 0, lastBoot) + 1
  return [...known, { boot, ...now }].slice(-MAX_BOOTS) as [Boot, ...Boot[]]
}

/** As a journal writes it. */
export const plainBootId = (id: string): string => id.trim().replaceAll('-', '').toLowerCase()
