// Those who listen to the bus. They live from their upgrade until they leave, fall silent, fall behind, or the server stops.
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { EventBus } from '../../actors/events/event-bus.ts'
import type { EventDocument } from '../../machines/events/event.ts'
import { asJson, type EventForm, type Written } from './event-form.ts'

/** pingEveryMs: how often a listener is asked whether he is there. silentPings: so many he may leave unanswered. tells: what is told here; all, if nothing is said. */
export interface EventFeedParts {
  readonly events: EventBus
  readonly pingEveryMs: number
  readonly silentPings: number
  readonly tells?: (event: EventDocument) => boolean
}

/** One who listens. connection: what his socket writes to. form: in which he is told. */
export interface Listener {
  readonly socket: WebSocket
  readonly connection: Socket
  readonly form?: EventForm
}

/** The last event that he has seen. */
interface Seen {
  readonly since?: number
  readonly epoch?: string
}

interface Listening extends Required<Listener> {
  unanswered: number
}

const MAX_BEHIND_BYTES = 1_048_576
const CLOSE_LIMIT_MS = 300
const GOING_AWAY = 1001
const TRY_AGAIN_LATER = 1013

/** All sockets that listen at one path. An event is written out once for each form, whatever their number. */
export class EventFeed {
  readonly #parts: EventFeedParts
  readonly #listeners = new Set<Listening>()
  readonly #corked = new Set<Socket>()
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
  accept({ form = asJson, ...ends }: Listener, { since = -1, epoch = '' }: Seen): void {
    const { events, tells = () => true } = this.#parts
    const listener: Listening = { ...ends, form, unanswered: 0 }
    const { socket } = listener
    const say = (message: object) => this.#send(listener, form(message))
    const missed = events.since(since, epoch)
    const newest = { epoch: events.epoch, seq: events.last() }
    say({ kind: 'hello', ...newest, resumed: missed.type === 'events' })
    if (missed.type === 'events') for (const event of missed.events.filter(tells)) say(event)
    else say({ kind: 'reset', ...newest })
    this.#listeners.add(listener)
    socket.once('close', () => this.#listeners.delete(listener))
    socket.on('pong', () => {
      listener.unanswered = 0
    })
  }

  /** Says goodbye to all; who does not answer is cut off. */
  close(): void {
    this.#release()
    for (const { socket } of this.#listeners) {
      socket.close(GOING_AWAY, 'the service stops')
      setTimeout(() => socket.terminate(), CLOSE_LIMIT_MS).unref()
    }
  }

  #tell(event: EventDocument): void {
    if (this.#listeners.size === 0 || this.#parts.tells?.(event) === false) return
    const written = new Map<EventForm, Written>()
    for (const listener of this.#listeners) {
      const { socket, form } = listener
      if (socket.readyState !== socket.OPEN) continue // on his way out; the pings see to it that he goes
      if (socket.bufferedAmount > MAX_BEHIND_BYTES) {
        socket.close(TRY_AGAIN_LATER, 'too far behind; come back with since and epoch')
        continue
      }
      const known = written.get(form) ?? form(event)
      written.set(form, known)
      this.#send(listener, known)
    }
  }

  /** What is told in one turn of the event loop goes out in one write, when it ends. */
  #send({ socket, connection }: Listening, { bytes, binary }: Written): void {
    if (this.#corked.size === 0) setImmediate(() => this.#uncork())
    if (!this.#corked.has(connection)) {
      this.#corked.add(connection)
      connection.cork()
    }
    socket.send(bytes, { binary })
  }

  #uncork(): void {
    for (const connection of this.#corked) connection.uncork()
    this.#corked.clear()
  }

  #ping(): void {
    for (const listener of this.#listeners) {
      if (listener.unanswered >= this.#parts.silentPings) listener.socket.terminate()
      listener.unanswered += 1
      listener.socket.ping()
    }
  }
}
