// What the server does with what its clients say. No sockets here: clients are told, and tell.
import { pack } from 'msgpackr'
import { epochUs } from '../../clock/system.ts'
import type { Step } from '../../sockets/reading.ts'
import { type Nt4Frame, type Nt4Message, TIME_SYNC_ID, WIRE, type WireType, wireTypeOf } from '../codec.ts'
import { type ClientMessage, element, type JsonMap, readClientText, updated } from '../control.ts'
import { MessageEncoder } from '../encoder.ts'
import { sound } from '../isolate.ts'
import type { Nt4Value } from '../port.ts'
import { subscribersOf } from '../subscribers.ts'
import type { Client, ClientPublication } from './client.ts'
import { type ClientSubscription, covers } from './demand.ts'
import { controlFits, MAX_MESSAGE_BYTES } from './limits.ts'
import * as meta from './meta.ts'
import { Probes } from './probes.ts'
import { SubscriberGroups } from './subscriber-groups.ts'
import { isOver, keep, type ServerTopic, setProperties, Topics } from './topics.ts'

/** What the server's hub tells. */
export interface HubEvents {
  /** So many messages were skipped. */
  readonly bad: (count: number) => void
  /** A client wants to publish a topic with another type than it has. */
  readonly conflict: (client: string, type: string, topic: ServerTopic) => void
  /** A client was sent away, for a topic or one message. */
  readonly tooLarge: (client: string, topic?: string) => void
  /** Something that is to survive a restart. */
  readonly persistentChanged: () => void
}

/** All clients, all topics, and the rules between them. */
export class Hub {
  readonly topics = new Topics()
  readonly clients = new Set<Client>()
  readonly #subscriberGroups = new SubscriberGroups()
  readonly #probes = new Probes(this.clients)
  readonly #events: HubEvents
  readonly #encoder = new MessageEncoder()
  /** Of the server's own topics, those that are to be sent again at the end of the turn. */
  readonly #stale = new Set<string>()

  constructor(events: HubEvents) {
    this.#events = events
    this.#addAbout(meta.CLIENTS, () => meta.clients(this.clients))
    this.#addAbout(meta.SERVER_PUBLISHES, () => [])
    this.#addAbout(meta.SERVER_SUBSCRIBES, () => [])
  }

  /** The name with the smallest number that no present client has. */
  uniqueName(name: string): string {
    const taken = new Set([...this.clients].map((client) => client.name))
    let n = 1
    while (taken.has(`${name}@${n}`)) n += 1
    return `${name}@${n}`
  }

  join(client: Client): void {
    this.clients.add(client)
    this.#probes.changed()
    this.#subscriberGroups.place(client)
    this.#addAbout(meta.clientPublishes(client.name), () => meta.publicationsOf(client))
    this.#addAbout(meta.clientSubscribes(client.name), () => meta.subscriptionsOf(client))
    this.#refresh(meta.CLIENTS)
  }

  /** Losing the connection unpublishes everything. */
  leave(client: Client): void {
    this.clients.delete(client)
    this.#probes.changed()
    this.#subscriberGroups.remove(client)
    client.stop()
    const publications = [...client.publications.values()]
    client.publications.clear()
    for (const publication of publications) this.#withdraw(client, publication)
    for (const name of [meta.clientPublishes(client.name), meta.clientSubscribes(client.name)]) {
      const topic = this.topics.get(name)
      if (topic) this.#remove(topic)
    }
    this.#refreshSubscribersOf([...client.subscriptions.values()])
    this.#refresh(meta.CLIENTS)
  }

  /** Reads a text. Returns the way to obey what it says, a message at a time; each may concern all topics. */
  text(client: Client, text: string): Step {
    const { messages, bad } = readClientText(text)
    let [at, unsound] = [0, 0]
    return () => {
      const message = messages[at]
      if (message && !sound(() => this.#obey(client, message))) unsound += 1
      at += 1
      if (at < messages.length) return true
      this.#events.bad(bad + unsound)
      return false
    }
  }

  values(client: Client, { messages, bad }: Nt4Frame): void {
    const unsound = messages.filter((message) => !sound(() => this.#take(client, message)))
    this.#events.bad(bad + unsound.length)
  }

  /** A client has sent a message that was too large to be read, and is being disconnected for it. */
  sentTooMuch(client: Client): void {
    this.#events.tooLarge(client.name)
  }

  /** The answer to a client's clock reading. */
  timeAnswer({ wireType, value }: Nt4Message): Uint8Array {
    return this.#encode(TIME_SYNC_ID, epochUs(), wireType, value)
  }

  /**
   * Puts back a topic of an earlier run, stamped with this moment. Any real value overrides what is restored, no
   * default does.
   *
   * False: it is too large for clients and was left out.
   */
  restore(name: string, type: string, properties: JsonMap, value: Nt4Value): boolean {
    if (this.topics.get(name)) return true
    if (!announceFits({ name, type, properties })) return false
    const topic = this.#create(name, type, properties)
    const timestampUs = epochUs()
    const bytes = this.#encode(topic.id, timestampUs, topic.wireType, value)
    if (bytes.length > MAX_MESSAGE_BYTES) {
      this.#remove(topic)
      return false
    }
    topic.kept = { timestampUs, bytes, from: null }
    return true
  }

  /** False, here and below: the message made no sense at this moment. */
  #obey(client: Client, message: ClientMessage): boolean {
    if (client.refused) return true
    switch (message.method) {
      case 'publish':
        return this.#publish(client, message)
      case 'unpublish':
        return this.#unpublish(client, message.pubuid)
      case 'setproperties':
        return this.#setProperties(client, message.name, message.update)
      case 'subscribe':
        return this.#subscribe(client, message)
      case 'unsubscribe':
        return this.#unsubscribe(client, message.subuid)
    }
  }

  #publish(client: Client, { name, pubuid, type, properties }: ClientMessage & { method: 'publish' }): boolean {
    if (name.startsWith('$')) return false
    const before = client.publications.get(pubuid)
    if (before) return before.topic.name === name && before.type === type // robot libraries say it again to be sure
    const existing = this.topics.get(name)
    if (!existing && !announceFits({ name, type, properties })) return this.#refuse(client, name)
    const topic = existing ?? this.#create(name, type, properties)
    const publication = { pubuid, type, properties, topic, withheld: undefined }
    if (type !== topic.type) this.#events.conflict(client.name, type, topic)
    client.publications.set(pubuid, publication)
    topic.publishers.add(publication)
    this.#subscriberGroups.place(client)
    client.announce(topic, publication)
    this.#announce(topic)
    this.#refresh(meta.publishersOf(name))
    this.#refreshSoon(meta.clientPublishes(client.name))
    return true
  }

  #unpublish(client: Client, pubuid: number): boolean {
    const publication = client.publications.get(pubuid)
    if (!publication) return false
    client.publications.delete(pubuid)
    this.#subscriberGroups.place(client)
    this.#withdraw(client, publication)
    this.#refreshSoon(meta.clientPublishes(client.name))
    return true
  }

  #withdraw(client: Client, publication: ClientPublication): void {
    const { topic } = publication
    topic.publishers.delete(publication)
    if (topic.kept?.from === client && !publishes(client, topic)) topic.kept = { ...topic.kept, from: null }
    if (isOver(topic)) this.#remove(topic)
    else if (this.#isWrongForAll(topic)) this.#replace(topic)
    else this.#refresh(meta.publishersOf(topic.name))
  }

  /** Whether nobody publishes a topic any more with the type that it has. What is kept for ever keeps its type. */
  #isWrongForAll(topic: ServerTopic): boolean {
    if (topic.properties.persistent === true || topic.properties.retained === true) return false
    return this.#publicationsOf(topic).every(([, { type }]) => type !== topic.type)
  }

  #publicationsOf(topic: ServerTopic): readonly (readonly [client: Client, publication: ClientPublication])[] {
    return [...this.clients].flatMap((client) =>
      [...client.publications.values()]
        .filter((publication) => publication.topic === topic)
        .map((publication) => [client, publication] as const),
    )
  }

  /** Gives the remaining publishers the topic that they wanted, with what they have written meanwhile. */
  #replace(topic: ServerTopic): void {
    const left = this.#publicationsOf(topic)
    const [, first] = left[0] ?? []
    this.#remove(topic)
    if (!first) return
    const next = this.#create(topic.name, first.type, first.properties)
    for (const [client, publication] of left) {
      publication.topic = next
      next.publishers.add(publication)
      client.announce(next, publication)
    }
    this.#announce(next)
    this.#refresh(meta.publishersOf(next.name))
    for (const [client, publication] of left) {
      const { withheld, type } = publication
      publication.withheld = undefined
      if (withheld && type === next.type) this.#take(client, withheld)
    }
  }

  #setProperties(client: Client, name: string, update: JsonMap): boolean {
    const topic = this.topics.get(name)
    if (!topic || topic.about) return false
    const { type } = topic
    const fits = announceFits({ name, type, properties: updated(topic.properties, update) })
    if (!fits || !controlFits(element('properties', { name, update }))) return this.#refuse(client, name)
    const wasPersistent = topic.properties.persistent === true
    setProperties(topic, update)
    for (const other of this.clients) other.tellProperties(topic, update, other === client)
    if (wasPersistent || topic.properties.persistent === true) this.#events.persistentChanged()
    if (isOver(topic)) this.#remove(topic)
    return true
  }

  #subscribe(client: Client, { subuid, topics, options }: ClientSubscription): boolean {
    const subscription = { subuid, topics, options }
    const covered = [...this.topics.all()].filter(({ name }) => covers(subscription, name))
    const fresh = covered.filter((topic) => !this.#subscriberGroups.paceOf(client, topic))
    client.subscriptions.set(subuid, subscription)
    this.#subscriberGroups.place(client)
    for (const topic of covered) client.announce(topic)
    for (const topic of fresh) {
      if (!this.#subscriberGroups.paceOf(client, topic)) continue
      const bytes = topic.about ? this.#encodeAbout(topic, topic.about) : topic.kept?.bytes
      if (bytes) this.#subscriberGroups.offerTo(client, topic, bytes)
    }
    this.#refreshSoon(meta.clientSubscribes(client.name))
    this.#refreshSubscribersOf([subscription])
    return true
  }

  #unsubscribe(client: Client, subuid: number): boolean {
    const gone = client.subscriptions.get(subuid)
    if (!gone) return false
    client.subscriptions.delete(subuid)
    this.#subscriberGroups.place(client)
    this.#refreshSoon(meta.clientSubscribes(client.name))
    this.#refreshSubscribersOf([gone])
    return true
  }

  #take(client: Client, message: Nt4Message): boolean {
    if (client.refused) return true
    if (message.id === TIME_SYNC_ID) {
      client.sendNow(this.timeAnswer(message))
      return true
    }
    const publication = client.publications.get(message.id)
    if (!publication || message.timestampUs < 0) return false
    const { topic } = publication
    // Real servers pass on values of another type than the topic's; a bench is better served by a report.
    if (topic.wireType !== message.wireType) {
      if (wireTypeOf(publication.type) !== message.wireType) return false
      publication.withheld = message
      return true
    }
    const { timestampUs, wireType, value } = message
    const bytes = this.#encode(topic.id, timestampUs, wireType, value)
    if (bytes.length > MAX_MESSAGE_BYTES) return this.#refuse(client, topic.name)
    const verdict = keep(topic, { timestampUs, bytes, from: client })
    if (verdict === 'dropped') return true
    // Like real servers, no echo: a client that subscribes to its own topic would be told what it knows.
    this.#subscriberGroups.offer(topic, bytes, client)
    if (verdict === 'kept' && topic.properties.persistent === true) this.#events.persistentChanged()
    return true
  }

  /** Sends a client away that wants to be passed on what others cannot take. */
  #refuse(client: Client, topic: string): boolean {
    this.#events.tooLarge(client.name, topic)
    client.refuse()
    return true
  }

  #create(name: string, type: string, properties: JsonMap): ServerTopic {
    this.#addAbout(meta.publishersOf(name), () => meta.publishers(this.clients, name))
    this.#addAbout(subscribersOf(name), () => meta.subscribers(this.clients, name))
    return this.topics.create(name, type, properties)
  }

  #addAbout(name: string, about: () => readonly unknown[]): void {
    this.#announce(this.topics.create(name, 'msgpack', {}, about))
    this.#refresh(name)
  }

  #remove(topic: ServerTopic): void {
    this.topics.remove(topic)
    this.#subscriberGroups.forget(topic.id)
    for (const client of this.clients) client.unannounce(topic)
    if (topic.about) return
    for (const name of [meta.publishersOf(topic.name), subscribersOf(topic.name)]) {
      const about = this.topics.get(name)
      if (about) this.#remove(about)
    }
  }

  #announce(topic: ServerTopic): void {
    for (const client of this.clients) if (client.follows(topic)) client.announce(topic)
  }

  /** Sends one of the server's own topics again to its subscribers. */
  #refresh(name: string): void {
    const topic = this.topics.get(name)
    if (!topic?.about) return
    if (this.#subscriberGroups.want(topic)) this.#subscriberGroups.offer(topic, this.#encodeAbout(topic, topic.about))
  }

  /** The same once for all that a client says in one turn: that may be thousands, and the topic lists all of them. */
  #refreshSoon(name: string): void {
    if (this.#stale.size === 0) setImmediate(() => this.#refreshStale())
    this.#stale.add(name)
  }

  #refreshStale(): void {
    const names = [...this.#stale]
    this.#stale.clear()
    for (const name of names) sound(() => this.#refresh(name))
  }

  #refreshSubscribersOf(changed: readonly ClientSubscription[]): void {
    const covered = [...this.topics.all()].filter(
      ({ about, name }) => !about && changed.some((one) => covers(one, name)),
    )
    for (const { name } of covered) this.#refresh(subscribersOf(name))
  }

  /** A list that is too large for clients is cut: better the first part of it than none. */
  #encodeAbout(topic: ServerTopic, about: () => readonly unknown[]): Uint8Array {
    const list = about()
    let bytes = this.#encode(topic.id, epochUs(), WIRE.bytes, pack(list))
    for (let left = list.length - 1; bytes.length > MAX_MESSAGE_BYTES && left >= 0; left = Math.floor(left * 0.75))
      bytes = this.#encode(topic.id, epochUs(), WIRE.bytes, pack(list.slice(0, left)))
    return bytes
  }

  #encode(id: number, timestampUs: number, wireType: WireType, value: Nt4Value): Uint8Array {
    this.#encoder.begin(true)
    this.#encoder.put(id, timestampUs, wireType, value)
    return Buffer.from(this.#encoder.take())
  }
}

const publishes = ({ publications }: Client, topic: ServerTopic): boolean =>
  [...publications.values()].some((publication) => publication.topic === topic)

const announceFits = (topic: { readonly name: string; readonly type: string; readonly properties: JsonMap }): boolean =>
  controlFits(element('announce', topic))
