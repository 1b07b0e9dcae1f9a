// The event feed: every published fact, to every WebSocket that listens.

import type { WebSocket } from 'ws'
import { DIRECTORY } from '../../actors/directory.ts'
import type { EventBus } from '../../actors/events/event-bus.ts'
import { type EventDocument, eventExample, eventSchema } from '../../machines/events/event.ts'
import { EVENT_KINDS, type EventKind } from '../../machines/events/kind.ts'
import Type from '../../machines/schema/type.ts'
import { areaOf } from '../endpoints/area.ts'
import { area, type FeedMessage } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'

const strict = { additionalProperties: false } as const
const Epoch = Type.String({ description: 'Another one at each start of the service.' })
const Newest = Type.Integer({ minimum: 0, description: 'The number of the newest event; 0 before the first.' })

const Hello = Type.Object(
  {
    kind: Type.Literal('hello'),
    epoch: Epoch,
    seq: Newest,
    resumed: Type.Boolean({ description: 'true: what was missed follows. false: `reset` follows.' }),
  },
  { ...strict, title: 'Hello', description: 'The first message of every connection.' },
)

const Reset = Type.Object(
  { kind: Type.Literal('reset'), epoch: Epoch, seq: Newest },
  { ...strict, title: 'Reset', description: 'Read everything again; what comes next is what follows `seq`.' },
)

const messagesOf = (kinds: readonly EventKind[]): readonly FeedMessage[] => [
  { name: 'hello', schema: Hello, example: { kind: 'hello', epoch: 'k3v9x1', seq: 11, resumed: true } },
  { name: 'reset', schema: Reset, example: { kind: 'reset', epoch: 'k3v9x1', seq: 11 } },
  ...kinds.map((each) => ({ name: each.kind, schema: eventSchema(each), example: eventExample(each) })),
]

export const eventArea = areaOf({ directory: DIRECTORY, kinds: EVENT_KINDS }, ({ directory, kinds }) => {
  const events = new EventFeed(directory.events)
  const table = area('events', 'What happens, as it happens.', [
    feed('GET', '/v1/events', {
      summary: 'Events as they happen',
      about:
        'The first message is `hello`. A client that comes back with the `seq` and `epoch` of the last event it saw then gets what it missed; any other, and one that was away for too long, gets `reset`. After that each event comes as it happens. A client that is more than 1 MiB behind is closed with 1013 and may come back in this way.',
      query: {
        since: Type.Optional(Type.Integer({ minimum: 0, description: 'The `seq` of the last event seen.' })),
        epoch: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The `epoch` of that event.' })),
      },
      messages: messagesOf(kinds),
      accept: ({ query }, socket) => events.accept(socket, query.since, query.epoch),
    }),
  ])
  return { ...table, close: () => events.close() }
})

const MAX_BEHIND_BYTES = 1_048_576
const PING_EVERY_MS = 20_000
const CLOSE_LIMIT_MS = 300
const GOING_AWAY = 1001
const TRY_AGAIN_LATER = 1013

/** All sockets that listen to the bus. An event is written out once, whatever their number. */
class EventFeed {
  readonly #events: EventBus
  readonly #sockets = new Set<WebSocket>()
  readonly #silent = new WeakSet<WebSocket>() // have not answered the last ping
  readonly #release: () => void

  constructor(events: EventBus) {
    this.#events = events
    const unsubscribe = events.subscribe((event) => this.#tell(event))
    const pings = setInterval(() => this.#ping(), PING_EVERY_MS).unref()
    this.#release = () => {
      unsubscribe()
      clearInterval(pings)
    }
  }

  /** Says hello, sends what the client missed, and from then on everything. */
  accept(socket: WebSocket, since: number | undefined, epoch: string | undefined): void {
    const missed = this.#events.since(since ?? -1, epoch ?? '')
    const newest = { epoch: this.#events.epoch, seq: this.#events.last() }
    send(socket, textOf({ kind: 'hello', ...newest, resumed: missed.type === 'events' }))
    if (missed.type === 'events') for (const event of missed.events) send(socket, textOf(event))
    else send(socket, textOf({ kind: 'reset', ...newest }))
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    socket.on('pong', () => this.#silent.delete(socket))
  }

  /** Says goodbye to all; who does not answer is cut off. */
  close(): void {
    this.#release()
    for (const socket of this.#sockets) {
      socket.close(GOING_AWAY, 'the service stops')
      setTimeout(() => socket.terminate(), CLOSE_LIMIT_MS).unref()
    }
  }

  #tell(event: EventDocument): void {
    if (this.#sockets.size === 0) return
    const text = textOf(event)
    for (const socket of this.#sockets) {
      if (socket.bufferedAmount <= MAX_BEHIND_BYTES) send(socket, text)
      else socket.close(TRY_AGAIN_LATER, 'too far behind; come back with since and epoch')
    }
  }

  #ping(): void {
    for (const socket of this.#sockets) {
      if (this.#silent.has(socket)) socket.terminate()
      this.#silent.add(socket)
      socket.ping()
    }
  }
}

const textOf = (message: object): Buffer => Buffer.from(JSON.stringify(message))

const send = (socket: WebSocket, text: Buffer): void => socket.send(text, { binary: false })
