// The devices that are trusted, as a request shows itself to be one of them. Asked with every request: who was just
// taken off the list is nobody.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { Directory } from '../../actors/directory.ts'
import type { FaultCode } from '../../machines/errors/catalogue.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { plainAddress } from '../../machines/http/access.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { documentOf, documentsOf, type StoredValue } from '../../machines/settings/store.ts'
import type { Peer } from '../../machines/trust/peer.ts'
import { isExpired, type TrustEntry, trustCollection } from '../../machines/trust/trust-entry.ts'
import { fault } from '../problems/problem.ts'

/** record: enters a fault in the error history. */
export interface TrustedPeersParts {
  readonly settings: Directory['settings']
  readonly clock: Pick<Directory['clock'], 'nowMs' | 'monotonicUs'>
  readonly record: (fault: Fault, times?: number) => void
}

/** A device that is trusted, or why it is not any more; undefined: nobody knows it. */
export type Found = Peer | Fault | undefined

export const isTrusted = (found: Found): found is Peer => found !== undefined && !isFault(found)

/** What a token is known by. It has 256 random bits, so that a plain hash keeps it. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The history counts; it need not be written for each of a thousand tries. */
const RECORD_EVERY_US = 1_000_000

export class TrustedPeers {
  readonly #parts: TrustedPeersParts
  readonly #recorded = new Map<FaultCode, { atUs: number; sinceThen: number }>()

  constructor(parts: TrustedPeersParts) {
    this.#parts = parts
  }

  /** The device that a token was given to. Takes as long for a wrong token as for a good one. */
  byToken(token: string): Found {
    const hash = Buffer.from(hashOfToken(token))
    let found: readonly [string, StoredValue<TrustEntry>] | undefined
    for (const each of this.#entries()) {
      const { token_hash } = each[1].value
      if (token_hash !== null && timingSafeEqual(Buffer.from(token_hash), hash)) found = each
    }
    return found && this.#verdict(...found)
  }

  /** The device that has a certificate. */
  byFingerprint(fingerprint: string): Found {
    const found = this.#entries().find(([, { value }]) => value.fingerprint === fingerprint)
    return found && this.#verdict(...found)
  }

  /** Whether one that was trusted still is. */
  isGood({ id }: Peer): boolean {
    const entry = documentOf(this.#parts.settings, trustCollection, id)
    return entry !== undefined && isTrusted(this.#verdict(id, entry))
  }

  /** Tells of each change of the list; of one that runs out nobody tells. Returns the way to stop listening. */
  onChange(listener: () => void): () => void {
    const { settings } = this.#parts
    let before = documentsOf(settings, trustCollection)
    const subscription = settings.subscribe(() => {
      const now = documentsOf(settings, trustCollection)
      if (now === before) return
      before = now
      listener()
    })
    return () => subscription.unsubscribe()
  }

  /**
   * Enters a refusal in the error history; of those that come within a second of one another the first, and the rest
   * with the next. Returns what was given.
   */
  refused(address: string, found: Fault): Fault {
    const { clock, record } = this.#parts
    const { code, detail } = found
    const atUs = clock.monotonicUs()
    const before = this.#recorded.get(code)
    if (before && atUs - before.atUs < RECORD_EVERY_US) {
      before.sinceThen += 1
      return found
    }
    const times = 1 + (before?.sinceThen ?? 0)
    this.#recorded.set(code, { atUs, sinceThen: 0 })
    record({ code, resource: 'access', detail: `${plainAddress(address)} was refused: ${detail}` }, times)
    return found
  }

  #entries(): readonly (readonly [string, StoredValue<TrustEntry>])[] {
    return Object.entries(documentsOf(this.#parts.settings, trustCollection))
  }

  #verdict(id: string, { value }: StoredValue<TrustEntry>): Peer | Fault {
    if (!isExpired(value, this.#parts.clock.nowMs())) return { id, name: value.name, device_id: value.device_id }
    return fault(
      'trust.expired',
      oneLine`
        ${value.name} (${id}) was trusted until a moment that has passed; an administrator of this device deletes the
        entry and makes another one
      `,
    )
  }
}
