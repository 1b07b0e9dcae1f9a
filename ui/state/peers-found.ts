// Devices that were found, or say that they are there. None is trusted for that.
import { api, ask, type Documents } from '../api/client.ts'
import { createLive } from './live.ts'

/** A device that was found. */
export type Candidate = Documents['PeerCandidate']

/** All that were found, at most 64, and how they are looked for. */
export const found = createLive<Documents['PeerCandidates']>({
  read: () => ask(api.GET('/v1/peers/candidates', { params: { query: { limit: 500 } } })),
  heed: ({ kind }) => (kind === 'peer_candidates_changed' ? 'stale' : undefined),
})
