// The states of the lights as people see them.
import type { Static } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'

/** The lights as a whole. */
export const LightingStateName = enumOf(
  {
    finding: 'it is looked which outputs there are',
    absent: 'no output that is set up is there',
    lit: 'the outputs are held, and show what is wanted',
    cut: 'all is off since the device is too warm, whoever wants what',
    failed: 'what drives the outputs does not work; it is tried again',
  },
  'LightingStateName',
)
export type LightingStateName = Static<typeof LightingStateName>
