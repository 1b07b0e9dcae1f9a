// Published facts: the one envelope they all have, and the ring of the latest of them from which a client catches up.
import Type, { type Static } from 'typebox'

/** What an event is about: ids by their names, as `{ stream_id: 'front' }`. Empty: the device as a whole. */
export const ResourceRef = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]*$' }), Type.String())
export type ResourceRef = Static<typeof ResourceRef>

/**
 * One published fact.
 *
 * seq rises by one per event and begins anew with each epoch, that is with each start of the service. revision: of the resource after the change;
 * null when it has none. data: for kinds whose news is not simply "read the resource again".
 */
export const EventDocument = Type.Object(
  {
    seq: Type.Integer({ minimum: 1 }),
    epoch: Type.String({ minLength: 1, maxLength: 64 }),
    timestamp_ms: Type.Integer({ minimum: 0, description: 'Unix time.' }),
    kind: Type.String({
      pattern: '^[a-z0-9_-]+(\\.[a-z0-9_-]+)+$',
      description: '`<thing>.<what>`, as `streams.changed`.',
    }),
    resource_ref: ResourceRef,
    revision: Type.Union([Type.Null(), Type.Integer({ minimum: 0 })]),
    data: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
)
export type EventDocument = Static<typeof EventDocument>

/** An event before the bus has numbered and dated it. */
export type Fact = Pick<EventDocument, 'kind' | 'resource_ref' | 'data'> & { readonly revision?: number | null }

/** What a client missed. `reset`: it cannot be told any more; read everything again and go on from `seq`. */
export type CatchUp =
  | { readonly type: 'events'; readonly events: readonly EventDocument[] }
  | { readonly type: 'reset'; readonly seq: number; readonly epoch: string }

/** A client that was away longer than this many events starts over. */
export const RING_CAPACITY = 4096 // a minute of a busy device at 60 events a second; about 1 MB

/** The latest events of one epoch. Old ones are overwritten; nothing grows. */
export class EventRing {
  readonly epoch: string
  readonly #events: EventDocument[] = []
  readonly #capacity: number
  #last = 0

  constructor(epoch: string, capacity = RING_CAPACITY) {
    this.epoch = epoch
    this.#capacity = capacity
  }

  /** seq of the newest event, 0 before the first. */
  get last(): number {
    return this.#last
  }

  /** Numbers and keeps an event. */
  push(fact: Fact, timestamp_ms: number): EventDocument {
    this.#last += 1
    const event: EventDocument = {
      seq: this.#last,
      epoch: this.epoch,
      timestamp_ms,
      ...fact,
      revision: fact.revision ?? null,
    }
    this.#events[(this.#last - 1) % this.#capacity] = event
    return event
  }

  /** All events after `seq` of `epoch`, oldest first. */
  since(seq: number, epoch: string): CatchUp {
    const oldest = Math.max(1, this.#last - this.#capacity + 1)
    if (epoch !== this.epoch || seq > this.#last || seq < oldest - 1)
      return { type: 'reset', seq: this.#last, epoch: this.epoch }
    const events = Array.from({ length: this.#last - seq }, (_, index) => this.#at(seq + 1 + index))
    return { type: 'events', events }
  }

  #at(seq: number): EventDocument {
    return this.#events[(seq - 1) % this.#capacity] as EventDocument
  }
}
