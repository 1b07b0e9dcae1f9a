// Who else publishes the topics that a session publishes under a prefix, as its server tells it.
import { unpack } from 'msgpackr'
import type { Nt4Conflict, Nt4Rival, Nt4Standing } from '../../../machines/nt4/topic-conflicts.ts'
import type { Nt4TopicWatcher, Nt4Update, Nt4Value } from '../port.ts'

/** What the server's own topics begin with that are about those who publish a topic, each with its name. */
export const PUBLISHERS = '$pub$'
/** The server's own topic about its clients. */
export const CLIENTS = '$clients'

/** A connection of ours that broke stands in the server's lists for a second or so. */
const LASTING_MS = 3_000
/** What comes or goes at nearly the same time is told of together: types and publishers are heard of on two ways. */
const TOGETHER_MS = 300

/** The session that is watched. */
export interface WatchedSession {
  /** That it gave itself. */
  readonly name: string
  /** Of its connection. */
  readonly localPort: () => number | undefined
  /** Of its publications, by topic. */
  readonly handles: () => ReadonlyMap<string, readonly number[]>
  /** Topics under the prefix that exist with another type. */
  readonly conflicts: () => readonly Nt4Conflict[]
}

interface Publisher {
  readonly client: string
  readonly pubuid: number
}

/** A watch of one prefix. What was there for a moment only is not told of, but that it is gone is. */
export class TopicWatch {
  readonly prefix: string
  readonly #session: WatchedSession
  readonly #watcher: Nt4TopicWatcher
  readonly #publishers = new Map<string, readonly Publisher[]>()
  #addresses: ReadonlyMap<string, string> = new Map()
  /** What stands in the way, and since when, by what it is. */
  #present = new Map<string, number>()
  #told = JSON.stringify({ rivals: [], conflicts: [] } satisfies Nt4Standing)
  #changedMs = Number.NEGATIVE_INFINITY
  #isFreed = false
  #isStopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(prefix: string, session: WatchedSession, watcher: Nt4TopicWatcher) {
    this.prefix = prefix
    this.#session = session
    this.#watcher = watcher
  }

  /** Takes what the server tells in the topics that are about clients and publishers. */
  readonly hear = ({ topic: { name }, value }: Nt4Update): void => {
    const rows = rowsIn(value)
    if (name === CLIENTS) this.#addresses = addressesIn(rows)
    else this.#publishers.set(name.slice(PUBLISHERS.length), publishersIn(rows))
    this.look()
  }

  /** Something may have changed. What came and went in one turn is seen too. */
  readonly look = (): void => {
    if (this.#isStopped) return
    const nowMs = performance.now()
    const conflicts = this.#session.conflicts()
    const rivals = this.#rivals()
    const before = this.#present
    const keys = [...conflicts.map(conflictKey), ...[...rivals].flatMap(([name, topics]) => rivalKeys(name, topics))]
    this.#present = new Map(keys.map((key) => [key, before.get(key) ?? nowMs]))
    const isLess = [...before.keys()].some((key) => !this.#present.has(key))
    if (isLess) this.#tellFreedSoon()
    if (isLess || this.#present.size !== before.size) this.#changedMs = nowMs
    const leftMs = this.#leftMs(nowMs)
    clearTimeout(this.#timer)
    if (leftMs !== undefined) this.#timer = setTimeout(this.look, Math.ceil(leftMs) + 1).unref()
    if (leftMs !== undefined && leftMs <= TOGETHER_MS) return
    const lasts = (key: string) => nowMs - (this.#present.get(key) ?? nowMs) >= LASTING_MS
    this.#tell({
      rivals: [...rivals.keys()]
        .filter((name) => lasts(rivalKey(name)))
        .map((name): Nt4Rival => ({ name, address: this.#addresses.get(name) ?? null })),
      conflicts: conflicts.filter((conflict) => lasts(conflictKey(conflict))),
    })
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#isStopped = true
  }

  /**
   * Until the next of what is there begins to last, or no more is to be expected of a change; undefined: that is so.
   */
  #leftMs(nowMs: number): number | undefined {
    const untilMs = [...this.#present.values()].map((sinceMs) => sinceMs + LASTING_MS)
    const leftMs = [this.#changedMs + TOGETHER_MS, ...untilMs].map((ms) => ms - nowMs).filter((ms) => ms > 0)
    return leftMs.length > 0 ? Math.min(...leftMs) : undefined
  }

  /** Once for all that goes in a turn: a client that leaves takes all its topics along. */
  #tellFreedSoon(): void {
    if (this.#isFreed) return
    this.#isFreed = true
    queueMicrotask(() => {
      this.#isFreed = false
      if (!this.#isStopped) this.#watcher.freed()
    })
  }

  #tell(standing: Nt4Standing): void {
    const text = JSON.stringify(standing)
    if (text === this.#told) return
    this.#told = text
    this.#watcher.changed(standing)
  }

  /** The topics that others publish, by who they are. */
  #rivals(): ReadonlyMap<string, readonly string[]> {
    const rivals = new Map<string, string[]>()
    const ownName = this.#ownName()
    for (const [topic, handles] of this.#session.handles()) {
      const publishers = this.#publishers.get(topic) ?? []
      const isOurs = (one: Publisher) =>
        ownName === undefined
          ? nameIn(one.client) === this.#session.name && handles.includes(one.pubuid)
          : one.client === ownName
      const first = publishers.find(isOurs)
      for (const one of publishers) {
        if (ownName === undefined ? one === first : isOurs(one)) continue
        const topics = rivals.get(one.client) ?? []
        rivals.set(one.client, topics)
        if (!topics.includes(topic)) topics.push(topic)
      }
    }
    return rivals
  }

  /** As the server calls the session; undefined: it cannot be told from others of its name. */
  #ownName(): string | undefined {
    const port = this.#session.localPort()
    const all = [...this.#addresses].filter(
      ([client, address]) => nameIn(client) === this.#session.name && portIn(address) === port,
    )
    return all.length === 1 ? all[0]?.[0] : undefined
  }
}

const conflictKey = ({ topic, type }: Nt4Conflict): string => `${type} ${topic}`
const rivalKey = (name: string): string => `client ${name}`
/** It is there as long as it publishes any of the topics, and something is free again when it publishes one less. */
const rivalKeys = (name: string, topics: readonly string[]): readonly string[] => [
  rivalKey(name),
  ...topics.map((topic) => `${rivalKey(name)} ${topic}`),
]

/** The name that a client gave itself, of the one that its server has made of it. */
const nameIn = (client: string): string => client.slice(0, client.includes('@') ? client.lastIndexOf('@') : undefined)

const portIn = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1))

type Row = Readonly<Record<string, unknown>>

/** The maps in a list; none when it is something else. */
const rowsIn = (value: Nt4Value): readonly Row[] => {
  if (!(value instanceof Uint8Array)) return []
  try {
    const list: unknown = unpack(value)
    return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []
  } catch {
    return []
  }
}

const publishersIn = (rows: readonly Row[]): readonly Publisher[] =>
  rows.flatMap(({ client, pubuid }) => (typeof client === 'string' ? [{ client, pubuid: Number(pubuid) }] : []))

const addressesIn = (rows: readonly Row[]): ReadonlyMap<string, string> =>
  new Map(rows.flatMap(({ id, conn }) => (typeof id === 'string' && typeof conn === 'string' ? [[id, conn]] : [])))
