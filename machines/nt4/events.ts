// What is published about the link to the robot.

import { documentEvent, eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import { Nt4LinkView } from './link-view.ts'

/** The NT4 settings were changed. */
export const nt4Changed = documentEvent({
  kind: 'nt4_changed',
  about: 'The settings of the link to the robot were changed.',
  of: null,
})

/** The link to the robot has come, gone, or is being looked for in vain. */
export const nt4Link = eventKind({
  kind: 'nt4_link',
  about: oneLine`
    The link to the robot went over into another state, or the first calls came to nothing. A link that was lost is
    \`dialling\` with a fault, which says why.
  `,
  reference: {},
  data: Nt4LinkView,
  revised: false,
  example: {
    resource_ref: {},
    data: {
      state: 'connected',
      address: '10.12.34.2:5810',
      protocol: '4.1',
      round_trip_us: 850,
      server_offset_us: -12_500_000,
      next_try_in_ms: null,
      fault: null,
    },
  },
})
