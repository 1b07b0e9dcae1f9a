// What is published about other devices that were found.

import { eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'

/** The list of those that were found is another. */
export const peerCandidatesChanged = eventKind({
  kind: 'peer_candidates_changed',
  about: oneLine`
    A device was found or is gone, or something else is known of one: read \`GET /v1/peers/candidates\` again. The
    first change is told at once, those of the second after it together.
  `,
  reference: {},
  data: null,
  revised: true,
  example: { resource_ref: {}, revision: 4 },
})
