// One client of the server: its subscriptions and publications, what it has been told, and its socket.
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { binaryFrame, PING } from '../../../machines/websocket/server-frame.ts'
import type { Nt4Message } from '../codec.ts'
import { element, type JsonMap, textFrame } from '../control.ts'
import { Silence } from '../liveness.ts'
import { PROTOCOL_41 } from '../protocol.ts'
import { type ClientSubscription, covers } from './demand.ts'
import { batches } from './limits.ts'
import type { ServerTopic } from './topics.ts'

// What real servers do: a client that is silent for five ticks is cut off, and each can rely on hearing from its
// server.
const SILENCE = { probeFromTick: 1, limitTicks: 5 }
const CONTROL_LIMIT_BYTES = 4 * 1024 * 1024

/** One publication of one client; the object itself stands for the publisher in `ServerTopic.publishers`. */
export interface ClientPublication {
  readonly pubuid: number
  /** As the client wants them; the topic may have others. */
  readonly type: string
  /** As the client wants them; the topic may have others. */
  readonly properties: JsonMap
  topic: ServerTopic
  /** The newest value that did not fit the topic, but would have fitted that type. */
  withheld: Nt4Message | undefined
}

/**
 * A client from its opening to its end. name: as it called itself, made unique by `@` and a number. version: of NT,
 * 0x0401 for 4.1.
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
  readonly #stream: Socket
  readonly #silence: Silence | undefined
  readonly #announced = new Set<number>()
  #controls: string[] = []
  #values: { readonly topicId: number; readonly message: Uint8Array }[] = []
  #refused = false

  /** stream: what the WebSocket writes to. */
  constructor(name: string, socket: WebSocket, stream: Socket) {
    const isNew = socket.protocol === PROTOCOL_41
    this.name = name
    this.address = `${stream.remoteAddress}:${stream.remotePort}`
    this.version = isNew ? 0x0401 : 0x0400
    this.#socket = socket
    this.#stream = stream
    // Only who speaks 4.1 is pinged; a 4.0 client may break on that.
    this.#silence = isNew ? new Silence(SILENCE) : undefined
  }

  heard(): void {
    this.#silence?.heard()
  }

  /** Asks whether it is still there, or gives it up. */
  probe(): void {
    const verdict = this.#silence?.tick()
    if (verdict === 'probe') this.sendFrame(PING)
    if (verdict === 'dead') this.terminate()
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
    this.#values = this.#values.filter(({ topicId }) => topicId !== topic.id)
    if (this.#announced.delete(topic.id)) this.#control('unannounce', { name: topic.name, id: topic.id })
  }

  /** acknowledged: this client itself asked for the change. */
  tellProperties(topic: ServerTopic, update: JsonMap, acknowledged: boolean): void {
    if (!acknowledged && !this.#announced.has(topic.id)) return
    this.#control('properties', { name: topic.name, update, ...(acknowledged ? { ack: true } : {}) })
  }

  /** Whether it wants to know that the topic exists. */
  follows(topic: ServerTopic): boolean {
    return [...this.subscriptions.values()].some((subscription) => covers(subscription, topic.name))
  }

  /** Bytes that it was sent and the system has not taken yet. */
  get unread(): number {
    return this.#socket.bufferedAmount
  }

  /** Sends a complete message of a topic at the end of the turn, after what it is told. */
  sendSoon(topicId: number, message: Uint8Array): void {
    this.#tellSoon()
    this.#values.push({ topicId, message })
  }

  /**
   * Sends a frame that many are sent.
   *
   * Past the library, which would write head and payload as two, and again for each: without compression it leaves each
   * frame of its own whole in the stream when it returns.
   */
  sendFrame(frame: Buffer): void {
    if (this.#open) this.#stream.write(frame)
  }

  sendMessages(messages: readonly Uint8Array[]): void {
    if (messages.length > 0) this.sendFrame(binaryFrame(messages))
  }

  /** Sends at once, past everything that waits: answers about the clock. */
  sendNow(message: Uint8Array): void {
    this.sendMessages([message])
  }

  stop(): void {
    this.#controls = []
    this.#values = []
  }

  terminate(): void {
    this.#socket.terminate()
  }

  get #open(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  #control(method: string, params: JsonMap): void {
    this.#tellSoon()
    this.#controls.push(element(method, params))
  }

  #tellSoon(): void {
    if (this.#controls.length === 0 && this.#values.length === 0) queueMicrotask(() => this.#tell())
  }

  #tell(): void {
    const texts = batches(this.#controls, Buffer.byteLength)
    const values = batches(this.#values, ({ message }) => message.length)
    this.#controls = []
    this.#values = []
    if (!this.#open) return
    if (this.unread > CONTROL_LIMIT_BYTES) {
      this.terminate()
      return
    }
    for (const text of texts) this.#socket.send(textFrame(text))
    for (const batch of values) this.sendMessages(batch.map(({ message }) => message))
  }
}
