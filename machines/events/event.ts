// Published events: the one envelope they all have, and the ring of the latest of them from which a client catches up.
import type { TSchema } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import type { EventKind, Fact } from './kind.ts'
import { RELAYED_EVENTS } from './relayed-events.ts'

const Seq = Type.Integer({ minimum: 1, description: 'Rises by one with each event; begins anew with each epoch.' })
const SeqBefore = Type.Integer({
  minimum: 0,
  description: oneLine`
    Of the newest event before it, 0 before the first: this kind has no numbers of its own, and is not told again to a
    client that comes back.
  `,
})
const Epoch = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Another one at each start of the service.',
})
const TimestampMs = Type.Integer({ minimum: 0, description: 'When it was published, Unix time.' })
const Revision = Type.Integer({ minimum: 0, description: 'Of the resource after the change.' })

/** Of a resource that is told with its event, as JSON. */
export const MAX_RESOURCE_CHARACTERS = 2_560 // streams with the templates have 700 to 2,100, and a peer 1,100

/** One published fact, of whatever kind. revision: null for kinds that carry none. */
export interface EventDocument extends Omit<Fact, 'revision'> {
  readonly seq: number
  readonly epoch: string
  readonly timestamp_ms: number
  readonly kind: string
  readonly revision: number | null
}

/** `StreamChangedEvent`: the name under which the documents describe the events of a kind. */
export const titleOf = ({ kind }: EventKind): string =>
  `${kind.replace(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase())}Event`

/** The schema of the events of a kind. */
export const eventSchema = (kind: EventKind): TSchema =>
  Type.Object(
    {
      seq: kind.isEphemeral ? SeqBefore : Seq,
      epoch: Epoch,
      timestamp_ms: TimestampMs,
      kind: Type.Literal(kind.kind),
      resource_ref: RELAYED_EVENTS.has(kind.kind) ? withPeer(kind) : kind.reference,
      revision: kind.revised ? Revision : Type.Null({ description: 'This kind carries none.' }),
      ...(kind.data && { data: kind.data }),
      ...(kind.resource && { resource: resourceReadBy(kind.resource) }),
    },
    { additionalProperties: false, title: titleOf(kind), description: kind.about },
  )

/** row: that reads it, as `GET /v1/streams/{id}`. */
const resourceReadBy = (row: string): TSchema =>
  Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: oneLine`
        As \`${row}\` answers it now, which spares reading it. Left out where it is gone, is another device's, or is
        longer than ${MAX_RESOURCE_CHARACTERS} characters, and of an event that is told later: then it has to be read.
      `,
    }),
  )

const OfPeer = Type.Optional(
  Type.String({
    description: 'The peer of which it is told; all other ids are then those of that device. Left out: this device.',
  }),
)

const withPeer = ({ reference }: EventKind): TSchema =>
  Type.Object({ peer_id: OfPeer, ...reference.properties }, { additionalProperties: false })

/** The example of a kind as an event. */
export const eventExample = ({ kind, example }: EventKind): EventDocument => ({
  seq: 12,
  epoch: 'k3v9x1',
  timestamp_ms: 1_767_225_600_000,
  kind,
  revision: null,
  ...(example as Pick<EventDocument, 'resource_ref'>),
})

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
  push(kind: string, fact: Fact, timestamp_ms: number): EventDocument {
    this.#last += 1
    const event = this.stamp(kind, fact, timestamp_ms)
    this.#events[(this.#last - 1) % this.#capacity] = event
    return event
  }

  /** An event that is not kept: it has the number of the newest one that is, and pushes none out. */
  stamp(kind: string, fact: Fact, timestamp_ms: number): EventDocument {
    return { seq: this.#last, epoch: this.epoch, timestamp_ms, kind, revision: null, ...fact }
  }

  /** The clock was set: all of them happened so much later. */
  clockSet(byMs: number): void {
    for (const [n, event] of this.#events.entries())
      this.#events[n] = { ...event, timestamp_ms: Math.max(0, event.timestamp_ms + byMs) }
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
