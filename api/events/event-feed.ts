// The listeners of the bus. They live from their upgrade until they leave, fall silent, fall behind, or the server
// stops.
import type { WebSocket } from 'ws'
import type { EventBus } from '../../actors/events/event-bus.ts'
import type { EventDocument } from '../../machines/events/event.ts'
import { onlyListens } from '../connections/connections.ts'
import { sayGoodbye } from '../connections/goodbye.ts'
import { asJson, type EventForm } from './event-form.ts'
import { BEAT } from './event-messages.ts'
import { type Ends, Subscribers } from './subscribers.ts'

/** What a feed of events works with. */
export interface EventFeedParts {
  readonly events: EventBus
  /** How often a listener is pinged. */
  readonly pingEveryMs: number
  /** So many it may leave unanswered. */
  readonly silentPings: number
  /** What is told here; all, if nothing is said. */
  readonly tells?: (event: EventDocument) => boolean
  /** An event as it is told to those who listen when it happens; as it is, if nothing is said. */
  readonly shown?: (event: EventDocument) => object
  /** What else the hello says. */
  readonly hello?: object
}

/** A listener. */
export interface Listener extends Ends {
  /** In which it gets events. */
  readonly form?: EventForm
  /** Whether it is told again and again that the feed is alive: a browser does not see pings. */
  readonly hasBeats?: boolean
}

/** The last event that it has seen. */
interface Seen {
  readonly since?: number
  readonly epoch?: string
}

interface Listening {
  readonly socket: WebSocket
  unanswered: number
}

const BEAT_EVERY_MS = 5_000

/** All sockets that listen at one path. An event is written out once for each form, whatever their number. */
export class EventFeed {
  readonly #parts: EventFeedParts
  readonly #listeners = new Set<Listening>()
  readonly #byForm = new Map<EventForm, Subscribers>()
  readonly #release: () => void

  constructor(parts: EventFeedParts) {
    this.#parts = parts
    const unsubscribe = parts.events.subscribe((event) => this.#tell(event))
    const pings = setInterval(() => this.#ping(), parts.pingEveryMs).unref()
    this.#release = () => {
      unsubscribe()
      clearInterval(pings)
    }
  }

  /** Says hello, sends what the client missed, and from then on everything. */
  accept({ form = asJson, hasBeats = false, socket, connection }: Listener, { since = -1, epoch = '' }: Seen): void {
    const { events, tells = () => true, hello } = this.#parts
    onlyListens(connection)
    const missed = events.since(since, epoch)
    const newest = { epoch: events.epoch, seq: events.last() }
    const greeting = { kind: 'hello', ...newest, resumed: missed.type === 'events', ...hello }
    const rest = missed.type === 'events' ? missed.events.filter(tells) : [{ kind: 'reset', ...newest }]
    const leave = this.#join(form, { socket, connection }, Buffer.concat([greeting, ...rest].map(form)))
    const listener: Listening = { socket, unanswered: 0 }
    this.#listeners.add(listener)
    const beat = () => {
      if (socket.readyState === socket.OPEN) connection.write(form(BEAT))
    }
    const beats = hasBeats ? setInterval(beat, BEAT_EVERY_MS).unref() : undefined
    socket.once('close', () => {
      clearInterval(beats)
      this.#listeners.delete(listener)
      leave()
    })
    socket.on('pong', () => {
      listener.unanswered = 0
    })
  }

  /** Says goodbye to all; who does not answer is cut off. */
  close(): void {
    this.#release()
    for (const subscribers of this.#byForm.values()) subscribers.sendNow()
    for (const { socket } of this.#listeners) {
      sayGoodbye(socket, 'the service stops')
    }
  }

  #join(form: EventForm, ends: Ends, first: Buffer): () => void {
    const subscribers = this.#byForm.get(form) ?? new Subscribers()
    this.#byForm.set(form, subscribers)
    const leave = subscribers.join(ends, first)
    return () => {
      leave()
      if (subscribers.isEmpty) this.#byForm.delete(form)
    }
  }

  #tell(event: EventDocument): void {
    if (this.#byForm.size === 0 || this.#parts.tells?.(event) === false) return
    const shown = this.#parts.shown?.(event) ?? event
    for (const [form, subscribers] of this.#byForm) subscribers.tell(form(shown))
  }

  #ping(): void {
    for (const listener of this.#listeners) {
      if (listener.unanswered >= this.#parts.silentPings) listener.socket.terminate()
      listener.unanswered += 1
      listener.socket.ping()
    }
  }
}
