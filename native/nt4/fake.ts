// NT4 without a network: what is written is remembered, what a robot would send is said by hand, and the link breaks
// when told to.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Nt4Standing } from '../../machines/nt4/topic-conflicts.ts'
import { matches } from './match.ts'
import type {
  Nt4Dial,
  Nt4Listen,
  Nt4Port,
  Nt4Role,
  Nt4Server,
  Nt4Session,
  Nt4SubscribeOptions,
  Nt4Topic,
  Nt4TopicWatcher,
  Nt4Type,
  Nt4Update,
  Nt4Value,
} from './port.ts'

const BATCHES_KEPT = 1_000

/** One call of `write` that was taken: values by topic name. */
export interface FakeBatch {
  readonly timestampUs: number
  readonly values: ReadonlyMap<string, Nt4Value>
}

/** A session that reaches nobody. Its clock stands still until it is set. */
export class FakeNt4Session implements Nt4Session {
  readonly to: Nt4Dial
  readonly protocol = '4.1'
  /** What is published now, by handle. */
  readonly published = new Map<number, Nt4Topic>()
  /** How often anything was published, so that a storm shows. */
  publishes = 0
  /** The newest batches that were written. */
  batches: FakeBatch[] = []
  /** As if the server did not read: writes are refused. */
  congested = false
  timeUs = 1_000_000
  readonly #subscriptions = new Set<{
    readonly topics: readonly string[]
    readonly options: Nt4SubscribeOptions
    readonly listener: (update: Nt4Update) => void
  }>()
  readonly #watchers = new Map<Nt4TopicWatcher, string>()
  readonly #readersListeners = new Map<number, (hasReaders: boolean) => void>()
  readonly #closedListeners = new Set<(fault: Fault) => void>()
  #fault: Fault | undefined
  #lastHandle = 0

  constructor(to: Nt4Dial = { host: 'fake', port: 5810, name: 'fake' }) {
    this.to = to
  }

  serverTimeUs(): number {
    return this.timeUs
  }

  roundTripUs(): number {
    return 1_000
  }

  serverOffsetUs(): number {
    return 0
  }

  publish(name: string, type: Nt4Type, properties: Readonly<Record<string, unknown>> = {}): number {
    this.#lastHandle += 1
    this.publishes += 1
    this.published.set(this.#lastHandle, { name, type, properties })
    return this.#lastHandle
  }

  unpublish(handle: number): void {
    this.published.delete(handle)
  }

  onReaders(handle: number, listener: (hasReaders: boolean) => void): () => void {
    this.#readersListeners.set(handle, listener)
    return () => this.#readersListeners.delete(handle)
  }

  watchTopics(prefix: string, watcher: Nt4TopicWatcher): () => void {
    this.#watchers.set(watcher, prefix)
    return () => this.#watchers.delete(watcher)
  }

  write(values: readonly (readonly [handle: number, value: Nt4Value])[], timestampUs = this.timeUs): boolean {
    if (this.#fault || this.congested) return false
    const named = values.flatMap(([handle, value]) => {
      const topic = this.published.get(handle)
      return topic ? [[topic.name, copied(value)] as const] : []
    })
    this.batches = [...this.batches.slice(1 - BATCHES_KEPT), { timestampUs, values: new Map(named) }]
    return true
  }

  subscribe(
    topics: readonly string[],
    options: Nt4SubscribeOptions,
    listener: (update: Nt4Update) => void,
  ): () => void {
    const subscription = { topics, options, listener }
    this.#subscriptions.add(subscription)
    return () => this.#subscriptions.delete(subscription)
  }

  roles(): (name: string) => Nt4Role | undefined {
    return (name) => {
      if ([...this.published.values()].some((topic) => topic.name === name)) return 'published'
      const isRead = [...this.#subscriptions].some(
        ({ topics, options }) => !options.topicsonly && matches(topics, options.prefix === true, name),
      )
      return isRead ? 'read' : undefined
    }
  }

  onClosed(listener: (fault: Fault) => void): () => void {
    const fault = this.#fault
    if (fault) queueMicrotask(() => this.#closedListeners.delete(listener) && listener(fault))
    this.#closedListeners.add(listener)
    return () => this.#closedListeners.delete(listener)
  }

  /** The newest value written to a topic. */
  newest(name: string): Nt4Value | undefined {
    return this.batches.findLast(({ values }) => values.has(name))?.values.get(name)
  }

  /** As if the robot had written a value. */
  deliver(name: string, type: Nt4Type, value: Nt4Value, timestampUs = this.timeUs): void {
    for (const { topics, options, listener } of this.#subscriptions)
      if (!options.topicsonly && matches(topics, options.prefix === true, name))
        listener({ topic: { name, type, properties: {} }, value, timestampUs })
  }

  /** As if the server told whether anybody subscribes to a topic. It tells nothing by itself. */
  tellReaders(name: string, hasReaders: boolean): void {
    for (const [handle, listener] of this.#readersListeners)
      if (this.published.get(handle)?.name === name) listener(hasReaders)
  }

  /** As if the server told of others who publish what begins so. */
  contest(prefix: string, standing: Nt4Standing): void {
    for (const [watcher, watched] of this.#watchers) if (watched === prefix) watcher.changed(standing)
  }

  /** As if one of them had gone. */
  free(prefix: string): void {
    for (const [watcher, watched] of this.#watchers) if (watched === prefix) watcher.freed()
  }

  /** As if the connection broke. */
  drop(fault: Fault = { code: 'nt4.silent', detail: 'the fake robot has gone silent' }): void {
    if (this.#fault) return
    this.#fault = fault
    const listeners = [...this.#closedListeners]
    this.#closedListeners.clear()
    for (const listener of listeners) listener(fault)
  }
}

/** A port whose sessions reach nobody. */
export class FakeNt4Port implements Nt4Port {
  /** All sessions that were made, the newest last. */
  readonly sessions: FakeNt4Session[] = []
  readonly listens: Nt4Listen[] = []
  /** While set, every connecting fails with it. */
  unreachable: Fault | undefined
  /** Hosts that swallow packets: connecting to them comes to no end. */
  readonly swallowing = new Set<string>()
  /** Hosts that take a connection and then say nothing. */
  readonly mute = new Set<string>()
  /** Each attempt to connect, in order. */
  readonly dialled: Nt4Dial[] = []
  /** While set, every listening fails with it. */
  portTaken: Fault | undefined

  get session(): FakeNt4Session | undefined {
    return this.sessions.at(-1)
  }

  readonly connect: Nt4Port['connect'] = (to, _report, answered) =>
    Effect.suspend(() => {
      this.dialled.push(to)
      if (this.mute.has(to.host)) answered?.()
      return this.mute.has(to.host) || this.swallowing.has(to.host) ? Effect.never : this.#session(to)
    })

  readonly #session = (to: Nt4Dial): ReturnType<Nt4Port['connect']> =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        if (this.unreachable) return Effect.fail(this.unreachable)
        const session = new FakeNt4Session(to)
        this.sessions.push(session)
        return Effect.succeed(session)
      }),
      (session) =>
        Effect.sync(() => session.drop({ code: 'nt4.closed', detail: 'the connection to the fake was given up here' })),
    )

  readonly serve = (at: Nt4Listen): ReturnType<Nt4Port['serve']> =>
    Effect.suspend(() => {
      if (this.portTaken) return Effect.fail(this.portTaken)
      this.listens.push(at)
      const server: Nt4Server = { host: at.host, port: at.port || 5810, clients: () => 0 }
      return Effect.succeed(server)
    })
}

/** Callers may reuse their arrays. */
const copied = (value: Nt4Value): Nt4Value =>
  value instanceof Float64Array || value instanceof Uint8Array
    ? value.slice()
    : Array.isArray(value)
      ? [...value]
      : value
