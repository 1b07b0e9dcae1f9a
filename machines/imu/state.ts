// The states of the IMU, as everybody is told.
import type { Static } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'

const STATES = {
  off: 'the settings say so, or it is being restarted',
  looking: 'it is being looked for',
  absent: 'none was found; it is looked for again and again',
  opening: 'one was found and is being set up',
  settling: 'samples come, and where up is is being found',
  running: 'readings come',
  failed: 'it broke or says nothing; it is tried again',
} as const

/** How it stands with the IMU. */
export const ImuState = enumOf(STATES, 'ImuState')
export type ImuState = Static<typeof ImuState>

const NAMES = Object.keys(STATES) as readonly ImuState[]

/** Of the value of a snapshot of imuMachine; undefined: it does not run. */
export const imuStateOf = (value: unknown): ImuState => {
  const innermost = (of: unknown): unknown =>
    typeof of === 'object' && of !== null ? innermost(Object.values(of)[0]) : of
  return NAMES.find((name) => name === innermost(value)) ?? 'off'
}

/** What people are told next: who looks again and again, and finds nothing, is still without. */
export const toldImuState = (before: ImuState, now: ImuState): ImuState =>
  now === 'looking' && (before === 'absent' || before === 'failed') ? before : now
