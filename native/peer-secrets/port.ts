// The tokens that peers gave to this device: kept apart from all that is shown.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

export interface PeerSecrets {
  /** null: there is none. */
  readonly get: (peer_id: string) => string | null
  /** Keeps a token, on the disk when it is done; null forgets it. Fails with `storage.failed`, and then the one of before is in force. */
  readonly set: (peer_id: string, token: string | null) => Effect.Effect<void, Fault>
}

/** The tokens of peers. */
export const PEER_SECRETS = token<PeerSecrets>('peer-secrets')
