// What is published about the trust list.
import { documentEvent } from '../events/kind.ts'
import { TrustId } from './trust-id.ts'

/** A device is trusted, or not any more. */
export const trustChanged = documentEvent({
  kind: 'trust_changed',
  about: 'Another device is trusted from now on, or not any more. One that runs out by itself is not told of.',
  of: { field: 'trust_id', id: TrustId, example: 'certificate-5f3a9c0b7d1e2f4a' },
})
