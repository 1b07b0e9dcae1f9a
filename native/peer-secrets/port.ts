// The tokens that peers gave to this device: kept apart from all that is shown.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

/**
 * Tokens by the peer and a number, that of its document (`token_version`): which one is in force says the document
 * alone. So a token may be kept before the document that refers to it, and forgotten after it, and whatever comes
 * between the two harms nobody.
 */
export interface PeerSecrets {
  /** null: there is none, or it cannot be read at present. */
  readonly get: (peer_id: string, version: number) => string | null
  /**
   * Keeps a token beside the others, on the disk when it is done. Fails with `storage.full` or `storage.failed`, and
   * then nothing has changed.
   */
  readonly keep: (peer_id: string, version: number, token: string) => Effect.Effect<void, Fault>
  /** Forgets those that are not wanted. Fails as `keep`. */
  readonly sweep: (isWanted: (peer_id: string, version: number) => boolean) => Effect.Effect<void, Fault>
}

/** The tokens of peers. */
export const PEER_SECRETS = token<PeerSecrets>('peer-secrets')
