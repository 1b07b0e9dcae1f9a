// Tells those who listen here what a peer tells, with the id that it has here.
import * as Effect from 'effect/Effect'
import type { EventKind, Fact, FactOf } from '../../machines/events/kind.ts'
import { RELAYED_EVENTS } from '../../machines/events/relayed-events.ts'
import type { PeerEvent } from '../../machines/peers/peer-messages.ts'
import { schemaErrors } from '../../machines/schema/errors.ts'
import { pruned } from '../../machines/schema/pruned.ts'
import type { EventBus } from '../events/event-bus.ts'

/**
 * Makes of an event of a peer what tells it again. undefined: it is of no kind that is told again, is of a peer of the
 * peer, is longer than any of ours, or does not fit its kind.
 */
export type RelayEvents = (peer_id: string, event: PeerEvent) => (() => void) | undefined

/** kinds: all that there are here. */
export const relayEvents = (events: Pick<EventBus, 'publish'>, kinds: readonly EventKind[]): RelayEvents => {
  const known = new Map(kinds.filter(({ kind }) => RELAYED_EVENTS.has(kind)).map((each) => [each.kind, each]))
  return (peer_id, { kind: name, resource_ref, revision, data: said }) => {
    const kind = known.get(name)
    const data = kind?.data && pruned(kind.data, said)
    if (
      !kind ||
      'peer_id' in resource_ref ||
      !fits(kind, { resource_ref, data }, revision) ||
      (kind.data && isLong(data))
    )
      return undefined
    const fact: Fact = {
      resource_ref: { ...resource_ref, peer_id },
      ...(kind.revised && revision !== null && { revision }),
      ...(kind.data && { data }),
    }
    return () => void events.publish(kind, fact as FactOf<EventKind>)
  }
}

const MAX_DATA_LENGTH = 8_192

/** It would be kept and sent to everybody. Asked of what fits alone: all else may be nested too deep to be written. */
const isLong = (data: unknown): boolean => JSON.stringify(data).length > MAX_DATA_LENGTH

const fits = (kind: EventKind, { resource_ref, data }: Fact, revision: number | null): boolean =>
  schemaErrors(kind.reference, resource_ref).length === 0 &&
  (kind.data === null || schemaErrors(kind.data, data).length === 0) &&
  (revision !== null || !kind.revised)

/**
 * What waits to be told: the oldest is given up for the newest, since those who listen read again what was read here.
 */
const MAX_WAITING = 256
const WAIT = '100 millis'

/**
 * Tells events at once, as long as that is few enough. What comes faster waits: of all that are about one thing the
 * newest is told, so that a listener is told what it can take.
 */
export class EventRelay {
  readonly #mayTell: () => boolean
  readonly #waiting = new Map<string, () => void>()
  #wake = () => {}

  /** mayTell: asked for each. */
  constructor(mayTell: () => boolean) {
    this.#mayTell = mayTell
  }

  hear({ kind, resource_ref }: PeerEvent, tell: () => void): void {
    if (this.#waiting.size === 0 && this.#mayTell()) tell()
    else this.#wait(`${kind} ${JSON.stringify(resource_ref)}`, tell)
  }

  #wait(key: string, tell: () => void): void {
    this.#waiting.delete(key)
    this.#waiting.set(key, tell)
    if (this.#waiting.size > MAX_WAITING) this.#waiting.delete(this.#waiting.keys().next().value ?? '')
    this.#wake()
  }

  /** Tells what waits, as soon as that may be. */
  readonly keepTelling: Effect.Effect<never> = Effect.forever(
    Effect.callback<void>((resume) => {
      this.#wake = () => resume(Effect.void)
      if (this.#waiting.size > 0) this.#wake()
    }).pipe(
      Effect.andThen(Effect.sleep(WAIT)),
      Effect.andThen(
        Effect.sync(() => {
          for (const [key, tell] of this.#waiting) {
            if (!this.#mayTell()) return
            this.#waiting.delete(key)
            tell()
          }
        }),
      ),
    ),
  )

  /** Nothing more will come. */
  end(): void {
    for (const tell of this.#waiting.values()) tell()
    this.#waiting.clear()
  }
}
