// The tokens of discovery.
import { token } from '../../machines/token.ts'
import type { PeerCandidates } from './peer-candidates.ts'

/** As much of them as readers need. */
export type FoundPeers = Pick<PeerCandidates, 'all' | 'revision'>

/** The devices that were found; none of them is trusted for that. */
export const PEER_CANDIDATES = token<PeerCandidates>('peer-candidates')
