// One client of the server: its subscriptions and publications, what it has been told, and its socket.
import { WebSocket } from 'ws'
import { element, type JsonMap, textFrame } from '../control.ts'
import { Liveness } from '../liveness.ts'
import { matches } from '../match.ts'
import { batches } from './limits.ts'
import { type Pace, ValueOutbox } from './outbox.ts'
import type { ServerTopic } from './topics.ts'

// What real servers do: a client that is silent for a second is cut off, and each can rely on hearing from its server.
const LIVENESS = { everyMs: 200, probeFromTick: 1, limitTicks: 5 }
const DEFAULT_PERIOD_S = 0.1
const CONTROL_LIMIT_BYTES = 4 * 1024 * 1024

/** A subscription as the client wrote it. options: unknown ones are kept, they show up in the server's own topics. */
export interface ClientSubscription {
  readonly subuid: number
  readonly topics: readonly string[]
  readonly options: JsonMap
}

/** One publication of one client; the object itself stands for the publisher in `ServerTopic.publishers`. */
export interface ClientPublication {
  readonly pubuid: number
  readonly topic: ServerTopic
}

/**
 * A client from its opening to its end. name: as it called itself, made unique by `@` and a number. version: of NT, 0x0401 for 4.1.
 *
 * What it is told goes out at the end of the turn, values after that: no value overtakes the announce of its topic.
 */
export class Client {
  readonly name: string
  readonly address: string
  readonly version: number
  readonly subscriptions = new Map<number, ClientSubscription>()
  readonly publications = new Map<number, ClientPublication>()
  readonly #socket: WebSocket
  readonly #outbox: ValueOutbox
  readonly #liveness: Liveness | undefined
  readonly #announced = new Set<number>()
  readonly #paces = new Map<number, Pace | undefined>()
  #controls: string[] = []
  #refused = false

  /** isNew: it speaks 4.1. Only then it is pinged; a 4.0 client may break on that. */
  constructor(name: string, address: string, socket: WebSocket, isNew: boolean) {
    this.name = name
    this.address = address
    this.version = isNew ? 0x0401 : 0x0400
    this.#socket = socket
    this.#outbox = new ValueOutbox({
      buffered: () => socket.bufferedAmount,
      send: (frame) => {
        if (this.#open) socket.send(frame, { binary: true })
      },
      stalled: () => this.#socket.terminate(),
    })
    this.#liveness = isNew
      ? new Liveness(
          LIVENESS,
          () => this.#open && socket.ping(),
          () => socket.terminate(),
        )
      : undefined
  }

  heard(): void {
    this.#liveness?.heard()
  }

  /** It has been told to go; what it still says counts no more. */
  get refused(): boolean {
    return this.#refused
  }

  /** Ends the connection because of a message that is too large for other clients. */
  refuse(): void {
    this.#refused = true
    this.#socket.close(1009, 'larger than 2 MiB')
  }

  /** Tells of a topic, once per connection. publication: whose announce it answers. */
  announce(topic: ServerTopic, publication?: ClientPublication): void {
    if (this.#announced.has(topic.id)) return
    this.#announced.add(topic.id)
    const { name, id, type, properties } = topic
    this.#control('announce', { name, id, type, properties, ...(publication ? { pubuid: publication.pubuid } : {}) })
  }

  unannounce(topic: ServerTopic): void {
    this.#outbox.forget(topic.id)
    this.#paces.delete(topic.id)
    if (this.#announced.delete(topic.id)) this.#control('unannounce', { name: topic.name, id: topic.id })
  }

  /** acknowledged: this client itself asked for the change. */
  tellProperties(topic: ServerTopic, update: JsonMap, acknowledged: boolean): void {
    if (!acknowledged && !this.#announced.has(topic.id)) return
    this.#control('properties', { name: topic.name, update, ...(acknowledged ? { ack: true } : {}) })
  }

  subscribe(subscription: ClientSubscription): void {
    this.subscriptions.set(subscription.subuid, subscription)
    this.#paces.clear()
  }

  unsubscribe(subuid: number): ClientSubscription | undefined {
    const subscription = this.subscriptions.get(subuid)
    this.subscriptions.delete(subuid)
    this.#paces.clear()
    return subscription
  }

  /** Whether it wants to know that the topic exists. */
  follows(topic: ServerTopic): boolean {
    return [...this.subscriptions.values()].some((subscription) => covers(subscription, topic.name))
  }

  /** How it wants the topic's values; undefined when it does not. Of several subscriptions the most demanding options win. */
  paceOf(topic: ServerTopic): Pace | undefined {
    if (!this.#paces.has(topic.id)) this.#paces.set(topic.id, this.#demands(topic))
    return this.#paces.get(topic.id)
  }

  sendValue(topic: ServerTopic, message: Uint8Array): void {
    const pace = this.paceOf(topic)
    if (pace) this.#outbox.offer(topic.id, message, pace)
  }

  /** Sends at once, past everything that waits: answers about the clock. */
  sendNow(message: Uint8Array): void {
    if (this.#open) this.#socket.send(message, { binary: true })
  }

  stop(): void {
    this.#liveness?.stop()
    this.#outbox.stop()
    this.#controls = []
  }

  get #open(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  #demands(topic: ServerTopic): Pace | undefined {
    const wanted = [...this.subscriptions.values()].filter(
      (one) => one.options.topicsonly !== true && covers(one, topic.name),
    )
    if (wanted.length === 0) return undefined
    return {
      periodMs: Math.min(...wanted.map(({ options }) => periodMsOf(options.periodic))),
      all: wanted.some(({ options }) => options.all === true),
    }
  }

  #control(method: string, params: JsonMap): void {
    if (this.#controls.length === 0) queueMicrotask(() => this.#sendControls())
    this.#controls.push(element(method, params))
  }

  #sendControls(): void {
    if (this.#controls.length === 0) return
    const frames = batches(this.#controls, Buffer.byteLength)
    this.#controls = []
    if (!this.#open) return
    if (this.#socket.bufferedAmount > CONTROL_LIMIT_BYTES) this.#socket.terminate()
    else for (const frame of frames) this.#socket.send(textFrame(frame))
  }
}

/** Whether a subscription is about a topic. */
export const covers = ({ topics, options }: ClientSubscription, name: string): boolean =>
  matches(topics, options.prefix === true, name)

const periodMsOf = (periodic: unknown): number =>
  1000 * (typeof periodic === 'number' && periodic >= 0 ? periodic : DEFAULT_PERIOD_S)
