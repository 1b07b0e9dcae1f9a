// The bus on which facts are published. Lives as long as the service; it holds the ring from which clients catch up and
// the list of subscribers.
import { type CatchUp, type EventDocument, EventRing } from '../../machines/events/event.ts'
import type { EventKind, FactOf } from '../../machines/events/kind.ts'
import { Latest } from '../../machines/latest.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'

/** Facts go in, numbered events come out, in one order for everybody. */
export interface EventBus {
  readonly epoch: string
  /** seq of the newest event, 0 before the first. */
  readonly last: () => number
  /** Numbers a fact of a kind and keeps it, unless its kind is ephemeral; tells all listeners before it returns. */
  readonly publish: <Kind extends EventKind>(kind: Kind, fact: FactOf<Kind>) => EventDocument
  /** What came after `seq` of `epoch`, or the word that it cannot be told any more. */
  readonly since: (seq: number, epoch: string) => CatchUp
  /** The clock was set: published events happened so much later, as subscribers that catch up are told. */
  readonly clockSet: (byMs: number) => void
  /** Calls `listener` for each event from now on; returns the way to stop that. */
  readonly subscribe: (listener: (event: EventDocument) => void) => () => void
  /** How many clients listen, for those who tell what costs something to find out. */
  readonly audience: Latest<number>
  /** One client more listens; returns the way to say that it has left. */
  readonly attend: () => () => void
}

/** What a bus needs. */
export interface EventBusParts {
  /** Another one at each start of the service. */
  readonly epoch: string
  /** Unix time. */
  readonly nowMs: () => number
  /** Of the ring. */
  readonly capacity?: number
  /**
   * Told of what a listener threw; the listener is called again with the next event, and the one who published does not
   * notice.
   */
  readonly onBug?: OnBug
}

export const createEventBus = ({ epoch, nowMs, capacity, onBug }: EventBusParts): EventBus => {
  const ring = new EventRing(epoch, capacity)
  const listeners = new Listeners<EventDocument>(onBug)
  const audience = new Latest<number>(onBug)
  audience.set(0)
  return {
    epoch,
    last: () => ring.last,
    publish: ({ kind, isEphemeral }, fact) => {
      const event = isEphemeral ? ring.stamp(kind, fact, nowMs()) : ring.push(kind, fact, nowMs())
      listeners.notify(event)
      return event
    },
    since: (seq, knownEpoch) => ring.since(seq, knownEpoch),
    clockSet: (byMs) => ring.clockSet(byMs),
    subscribe: (listener) => listeners.add(listener),
    audience,
    attend: () => {
      audience.set((audience.value ?? 0) + 1)
      let isThere = true
      return () => {
        if (isThere) audience.set((audience.value ?? 0) - 1)
        isThere = false
      }
    },
  }
}
