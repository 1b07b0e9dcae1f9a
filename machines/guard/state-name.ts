// What the resource guard does, as everybody is told.
import type { Static } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'

const STATES = {
  off: 'the settings or the start (`--guard off`) say so, or it is being restarted: nothing is cut',
  asleep: 'no stream runs, so nothing is measured',
  watching: 'all streams have what they want',
  limiting: 'something is taken from a stream',
  blind: 'the device has not told how it does for ten seconds, so nothing is cut',
} as const

/** How it stands with the guard. */
export const GuardStateName = enumOf(STATES, 'ResourceGuardStateName')
export type GuardStateName = Static<typeof GuardStateName>

const NAMES = Object.keys(STATES) as readonly GuardStateName[]

/** Of the value of a snapshot of guardMachine; undefined: it does not run. */
export const guardStateOf = (value: unknown): GuardStateName => {
  const innermost = (of: unknown): unknown =>
    typeof of === 'object' && of !== null ? innermost(Object.values(of)[0]) : of
  return NAMES.find((name) => name === innermost(value)) ?? 'off'
}
