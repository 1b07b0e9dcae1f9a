// One session with an NT4 server: what is published, subscribed and known on one connection. It never comes back: the
// link makes another.

import type { Fault } from '../../../machines/errors/fault.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { monotonicUs } from '../../clock/system.ts'
import type { Step } from '../../sockets/reading.ts'
import { type Nt4Message, type WireType, wireTypeOf } from '../codec.ts'
import { element, readServerText, type ServerMessage, textFrame, updated } from '../control.ts'
import { FaultThrottle } from '../fault-throttle.ts'
import { sound } from '../isolate.ts'
import { matches } from '../match.ts'
import type {
  Nt4Dial,
  Nt4Report,
  Nt4Role,
  Nt4Session,
  Nt4SubscribeOptions,
  Nt4Topic,
  Nt4TopicWatcher,
  Nt4Type,
  Nt4Update,
  Nt4Value,
} from '../port.ts'
import { hasReaders, subscribersOf } from '../subscribers.ts'
import { Connection } from './connection.ts'
import { CLIENTS, PUBLISHERS, TopicWatch } from './topic-watch.ts'

const READERS_PERIOD_S = 1 // the first change after a quiet second is told of at once

type Listener = (update: Nt4Update) => void

/** stampUs: that its writer gave it; undefined: it has the time at which it is sent. */
interface Withheld {
  readonly value: Nt4Value
  readonly stampUs: number | undefined
}

interface Publication {
  readonly name: string
  readonly type: Nt4Type
  readonly properties: Readonly<Record<string, unknown>>
  readonly wireType: WireType
  /** With which topic, and how its end is heard of; undefined: there is none. */
  conflict: { readonly topic: Nt4Topic; readonly unsubscribe: () => void } | undefined
  /** The newest value that was not sent because of it. */
  withheld: Withheld | undefined
  misfitReported: boolean
}

interface Subscription {
  readonly topics: readonly string[]
  readonly options: Nt4SubscribeOptions
  readonly listener: Listener
}

/** Told of topics as the server announces them. */
export interface TopicListener {
  /** false: the topic is not wanted. */
  readonly announced: (topic: Nt4Topic) => boolean
  /** Also of one that was not wanted. */
  readonly gone: (name: string) => void
}

/** A topic as announced. listeners: undefined until a value asks who they are. */
interface KnownTopic {
  readonly topic: Nt4Topic
  readonly wireType: WireType
  listeners: readonly Listener[] | undefined
}

/**
 * A session that starts to connect when it is made. `onReady` calls back when it may be used, `onClosed` when it has
 * ended, before that or after.
 *
 * All batches of one turn of the event loop are one WebSocket message without fragments: each arrives whole or not at
 * all, and fragments would let no ping through sooner, since all would be handed to the same TCP connection in the same
 * instant.
 */
export class ClientSession implements Nt4Session {
  readonly #report: Nt4Report
  readonly #connection: Connection
  readonly #badMessages: FaultThrottle
  readonly #publications = new Map<number, Publication>()
  readonly #subscriptions = new Map<number, Subscription>()
  readonly #topics = new Map<number, KnownTopic>()
  readonly #watches = new Set<TopicWatch>()
  readonly #name: string
  readonly #readyListeners = new Set<() => void>()
  readonly #closedListeners = new Set<(fault: Fault) => void>()
  #topicListener: TopicListener | undefined
  #controls: string[] = []
  #lastUid = 0
  #lastTimeUs = 0
  #fault: Fault | undefined

  constructor(to: Nt4Dial, report: Nt4Report, answered: () => void = () => {}) {
    this.#report = report
    this.#name = to.name
    this.#badMessages = new FaultThrottle(report, (count) => ({
      code: 'nt4.bad_message',
      detail: `${count} messages from ${to.host} could not be read and were skipped`,
      context: { count },
    }))
    this.#connection = new Connection(to, {
      answered,
      ready: () => {
        // Without a subscription a real server sends a client nothing at all, not even pings.
        this.subscribe([to.root ?? `/${to.name}`], { prefix: true, topicsonly: true }, () => {})
        for (const listener of this.#readyListeners) listener()
      },
      clockJumped: () => {
        this.#lastTimeUs = 0
      },
      text: (text) => this.#heard(text),
      message: (message) => this.#arrived(message),
      bad: (count) => this.#badMessages.add(count),
      closed: (fault) => this.#closed(fault),
    })
  }

  get protocol(): '4.1' | '4.0' {
    return this.#connection.protocol
  }

  serverTimeUs(nowUs = monotonicUs()): number {
    this.#lastTimeUs = Math.max(this.#lastTimeUs, nowUs + this.serverOffsetUs())
    return this.#lastTimeUs
  }

  serverOffsetUs(): number {
    return this.#connection.clock.estimate?.offsetUs ?? 0
  }

  roundTripUs(): number {
    return this.#connection.clock.estimate?.roundTripUs ?? 0
  }

  publish(name: string, type: Nt4Type, properties: Readonly<Record<string, unknown>> = {}): number {
    const handle = this.#nextUid()
    const publication = {
      name,
      type,
      properties,
      wireType: wireTypeOf(type),
      conflict: undefined,
      withheld: undefined,
      misfitReported: false,
    }
    this.#publications.set(handle, publication)
    this.#announceOurs(handle, publication)
    for (const { topic } of this.#topics.values()) if (topic.name === name) this.#compare(handle, publication, topic)
    return handle
  }

  unpublish(handle: number): void {
    const publication = this.#publications.get(handle)
    if (!publication) return
    this.#publications.delete(handle)
    if (publication.conflict) publication.conflict.unsubscribe()
    else this.#control('unpublish', { pubuid: handle })
  }

  onReaders(handle: number, listener: (hasReaders: boolean) => void): () => void {
    const publication = this.#publications.get(handle)
    if (!publication || this.protocol === '4.0') return () => {}
    let known: boolean | undefined
    return this.subscribe([subscribersOf(publication.name)], { periodic: READERS_PERIOD_S }, ({ value }) => {
      const now = hasReaders(value)
      if (now === known) return
      known = now
      listener(now)
    })
  }

  watchTopics(prefix: string, watcher: Nt4TopicWatcher): () => void {
    const ours = () => [...this.#publications].filter(([, { name }]) => name.startsWith(prefix))
    const watched = {
      name: this.#name,
      localPort: () => this.#connection.localPort,
      handles: () => {
        const handles = new Map<string, number[]>()
        for (const [handle, { name }] of ours()) handles.set(name, [...(handles.get(name) ?? []), handle])
        return handles
      },
      conflicts: () => {
        const found = ours().flatMap(([, { name, conflict }]) =>
          conflict ? [[name, { topic: name, type: conflict.topic.type }] as const] : [],
        )
        return [...new Map(found).values()]
      },
    }
    const watch = new TopicWatch(prefix, watched, watcher)
    this.#watches.add(watch)
    watch.look()
    const isTold = this.protocol !== '4.0'
    const unsubscribe = isTold
      ? [
          this.subscribe([CLIENTS], {}, watch.hear),
          this.subscribe([PUBLISHERS + prefix], { prefix: true, all: true }, watch.hear),
        ]
      : []
    return () => {
      watch.stop()
      this.#watches.delete(watch)
      for (const stop of unsubscribe) stop()
    }
  }

  write(values: readonly (readonly [handle: number, value: Nt4Value])[], timestampUs?: number): boolean {
    this.#sendControls()
    const frame = this.#connection.messages()
    if (!frame) return false
    const stampUs = Math.round(timestampUs ?? this.serverTimeUs())
    for (const entry of values) {
      const publication = this.#publications.get(entry[0])
      if (!publication) continue
      if (publication.conflict) {
        publication.withheld = { value: copyOf(entry[1]), stampUs: timestampUs }
        continue
      }
      if (!frame.put(entry[0], stampUs, publication.wireType, entry[1])) this.#misfit(publication, entry[1])
    }
    return true
  }

  subscribe(topics: readonly string[], options: Nt4SubscribeOptions, listener: Listener): () => void {
    const subuid = this.#nextUid()
    this.#subscriptions.set(subuid, { topics, options, listener })
    this.#forgetListeners()
    this.#control('subscribe', { topics, subuid, options })
    return () => {
      if (!this.#subscriptions.delete(subuid)) return
      this.#forgetListeners()
      this.#control('unsubscribe', { subuid })
    }
  }

  /** Tells of all topics that are announced from now on. */
  onTopics(listener: TopicListener): void {
    this.#topicListener = listener
  }

  roles(): (name: string) => Nt4Role | undefined {
    const published = new Set([...this.#publications.values()].map(({ name }) => name))
    const read = [...this.#subscriptions.values()].filter(({ options }) => !options.topicsonly)
    return (name) => {
      if (published.has(name)) return 'published'
      return read.some(({ topics, options }) => matches(topics, options.prefix === true, name)) ? 'read' : undefined
    }
  }

  onReady(listener: () => void): void {
    this.#readyListeners.add(listener)
  }

  onClosed(listener: (fault: Fault) => void): () => void {
    const fault = this.#fault
    if (fault) queueMicrotask(() => this.#closedListeners.delete(listener) && listener(fault))
    this.#closedListeners.add(listener)
    return () => this.#closedListeners.delete(listener)
  }

  /** Ends the connection: politely, or at once. */
  close(how: 'politely' | 'at-once'): void {
    this.#sendControls()
    if (how === 'politely') this.#connection.close()
    else this.#connection.terminate()
  }

  /** Collects the control messages of one turn into one text frame; a write sends them before its values. */
  #control(method: string, params: Readonly<Record<string, unknown>>): void {
    if (this.#fault) return
    if (this.#controls.length === 0) queueMicrotask(() => this.#sendControls())
    this.#controls.push(element(method, params))
  }

  #sendControls(): void {
    if (this.#controls.length === 0) return
    this.#connection.sendText(textFrame(this.#controls))
    this.#controls = []
  }

  /** Each message may concern all topics and subscriptions: see the hub of the server. */
  #heard(text: string): Step {
    const { messages, bad } = readServerText(text)
    let [at, unsound] = [0, 0]
    return () => {
      const message = messages[at]
      if (message && !sound(() => this.#obey(message))) unsound += 1
      at += 1
      if (at < messages.length) return true
      this.#badMessages.add(bad + unsound)
      return false
    }
  }

  #obey(message: ServerMessage): void {
    switch (message.method) {
      case 'announce': {
        const { id, name, type, properties } = message
        const topic = { name, type, properties }
        if (this.#topicListener?.announced(topic) === false) return
        this.#topics.set(id, { topic, wireType: wireTypeOf(type), listeners: undefined })
        for (const [handle, publication] of this.#publications)
          if (publication.name === name) this.#compare(handle, publication, topic)
        return
      }
      case 'unannounce':
        this.#gone(message)
        return
      case 'properties':
        for (const [id, known] of this.#topics) {
          if (known.topic.name !== message.name) continue
          const topic = { ...known.topic, properties: updated(known.topic.properties, message.update) }
          this.#topics.set(id, { ...known, topic })
          this.#topicListener?.announced(topic)
        }
    }
  }

  /** False: the value is not of its topic's type. */
  #arrived({ id, wireType, value, timestampUs }: Nt4Message): boolean {
    const known = this.#topics.get(id)
    if (!known) return true // its unannounce was faster
    if (known.wireType !== wireType) return false
    known.listeners ??= this.#listenersOf(known.topic.name)
    for (const listener of known.listeners) listener({ topic: known.topic, value, timestampUs })
    return true
  }

  #listenersOf(name: string): readonly Listener[] {
    return [...this.#subscriptions.values()]
      .filter(({ topics, options }) => !options.topicsonly && matches(topics, options.prefix === true, name))
      .map(({ listener }) => listener)
  }

  #forgetListeners(): void {
    for (const known of this.#topics.values()) known.listeners = undefined
  }

  #announceOurs(handle: number, { name, type, properties }: Publication): void {
    this.#control('publish', { name, pubuid: handle, type, properties })
  }

  /** A topic that stood in our way is gone: ours takes its place. */
  #gone(topic: { readonly id: number; readonly name: string }): void {
    const { id } = topic
    const name = this.#topics.get(id)?.topic.name
    this.#topics.delete(id)
    this.#topicListener?.gone(name ?? topic.name) // also what was not wanted: it is counted
    for (const [handle, publication] of this.#publications) {
      if (publication.conflict && publication.name === name) this.#endConflict(handle, publication)
    }
  }

  /** The newest value goes out at once: one that never changes again would be missing for good. */
  #endConflict(handle: number, publication: Publication): void {
    const { conflict, withheld } = publication
    publication.conflict = undefined
    publication.withheld = undefined
    this.#announceOurs(handle, publication)
    conflict?.unsubscribe()
    if (withheld) this.write([[handle, withheld.value]], withheld.stampUs)
    for (const watch of this.#watchesOf(publication)) watch.look()
  }

  #watchesOf({ name }: Publication): readonly TopicWatch[] {
    return [...this.#watches].filter(({ prefix }) => name.startsWith(prefix))
  }

  #compare(handle: number, publication: Publication, topic: Nt4Topic): void {
    if (topic.type === publication.type) {
      if (publication.conflict) this.#endConflict(handle, publication)
      return
    }
    if (publication.conflict) return
    const isKnown = [...this.#publications.values()].some((other) => other.conflict && other.name === topic.name)
    // Servers tell the end of a topic only to its subscribers and publishers.
    publication.conflict = { topic, unsubscribe: this.subscribe([topic.name], { topicsonly: true }, () => {}) }
    // a topic stays as long as anybody publishes it, and so would the conflict
    this.#control('unpublish', { pubuid: handle })
    const watches = this.#watchesOf(publication)
    for (const watch of watches) watch.look()
    if (isKnown || watches.length > 0) return
    this.#report({
      code: 'nt4.type_conflict',
      detail: oneLine`
        ${topic.name} already exists as ${topic.type}, so it is not published as ${publication.type}; find who else
        publishes it
      `,
      resource: `nt4${topic.name}`,
    })
  }

  #misfit(publication: Publication, value: Nt4Value): void {
    if (publication.misfitReported) return
    publication.misfitReported = true
    this.#report({
      code: 'nt4.bad_value',
      detail: `${publication.name} takes ${publication.type}, got ${typeof value}; the value was left out`,
      resource: `nt4${publication.name}`,
    })
  }

  #closed(fault: Fault): void {
    this.#fault = fault
    this.#badMessages.stop()
    for (const watch of this.#watches) watch.stop()
    this.#topics.clear()
    const listeners = [...this.#closedListeners]
    this.#closedListeners.clear()
    for (const listener of listeners) listener(fault)
  }

  #nextUid(): number {
    this.#lastUid += 1
    return this.#lastUid
  }
}

/** Arrays and buffers are their writer's, who fills them again. */
const copyOf = (value: Nt4Value): Nt4Value => {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (value instanceof Float64Array) return new Float64Array(value)
  return Array.isArray(value) ? [...value] : value
}
