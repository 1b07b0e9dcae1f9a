// NT4 as the actors see it: one connection at a time, and a server for the bench.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Nt4Standing } from '../../machines/nt4/topic-conflicts.ts'
import { token } from '../../machines/token.ts'

/** Type strings of NT4; anything else travels as bytes. */
export type Nt4Type =
  | 'boolean'
  | 'double'
  | 'int'
  | 'float'
  | 'string'
  | 'json'
  | 'raw'
  | 'boolean[]'
  | 'double[]'
  | 'int[]'
  | 'float[]'
  | 'string[]'
  | (string & {})

/**
 * Whole doubles stay doubles: the topic's type decides how a number is written. `int` beyond 2^53 comes and goes as
 * bigint.
 */
export type Nt4Value =
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly boolean[]
  | readonly number[]
  | readonly (number | bigint)[]
  | Float64Array
  | readonly string[]

export interface Nt4Topic {
  readonly name: string
  readonly type: Nt4Type
  readonly properties: Readonly<Record<string, unknown>>
}

/** A value that arrived, the one that was there before the subscription included. timestampUs: server time. */
export interface Nt4Update {
  readonly topic: Nt4Topic
  readonly value: Nt4Value
  readonly timestampUs: number
}

/** The keys of a subscription as on the wire. */
export interface Nt4SubscribeOptions {
  readonly prefix?: boolean
  readonly topicsonly?: boolean
  /** Every change instead of the latest. */
  readonly all?: boolean
  /** Seconds between sendings, 0.1 by default. */
  readonly periodic?: number
}

/** Told of others in the topics that are published under a prefix. */
export interface Nt4TopicWatcher {
  /** What stands in the way by now; it is not told of in its first three seconds. */
  readonly changed: (standing: Nt4Standing) => void
  /**
   * Something that stood in the way does not any more; what it wrote stays with the server until it is written over.
   * Neither may throw.
   */
  readonly freed: () => void
}

/** What this device has to do with a topic. published: it publishes it. read: it reads what others write to it. */
export type Nt4Role = 'published' | 'read'

/** One connection to an NT4 server, synchronised and ready. Nothing on it throws; a dead one swallows writes. */
export interface Nt4Session {
  readonly protocol: '4.1' | '4.0'
  /**
   * Now in server time, µs. Within a session it runs backwards only when the server's clock was set, which is
   * followed within two seconds.
   *
   * nowUs: CLOCK_MONOTONIC, where it was just read.
   */
  readonly serverTimeUs: (nowUs?: number) => number
  readonly roundTripUs: () => number
  /** Server time minus CLOCK_MONOTONIC, µs: turns the time stamp of a frame into server time. */
  readonly serverOffsetUs: () => number
  /**
   * Publishes and returns the handle to write with, good for this session only.
   *
   * Never waits for the announce. Of a topic that exists with another type the newest write is held back until that is
   * gone. It is reported once (`nt4.type_conflict`), or told to who watches it.
   */
  readonly publish: (name: string, type: Nt4Type, properties?: Readonly<Record<string, unknown>>) => number
  readonly unpublish: (handle: number) => void
  /**
   * Calls back when the server has told whether anybody reads what is published, and after each change. The server is
   * asked to tell once a second at most; one who comes while nobody did is told of at once. It never calls back where
   * the server does not tell: one that speaks 4.0, or leaves this out.
   */
  readonly onReaders: (handle: number, listener: (hasReaders: boolean) => void) => () => void
  /** Watches what is published here under a prefix, as far as the server tells: one that speaks 4.0 tells of types. */
  readonly watchTopics: (prefix: string, watcher: Nt4TopicWatcher) => () => void
  /**
   * Sends all values with one time stamp in one WebSocket frame, at once. timestampUs: server time; default now.
   *
   * False: nothing was sent, because the server does not read or the connection is gone. A value that does not fit its
   * type is left out and reported (`nt4.bad_value`).
   */
  readonly write: (values: readonly (readonly [handle: number, value: Nt4Value])[], timestampUs?: number) => boolean
  /** `listener` must not throw; it is called for what `topics` name, or begin with. */
  readonly subscribe: (
    topics: readonly string[],
    options: Nt4SubscribeOptions,
    listener: (update: Nt4Update) => void,
  ) => () => void
  /** What this session has to do with a topic, by its name, as it is now; undefined: nothing. */
  readonly roles: () => (name: string) => Nt4Role | undefined
  /** Calls back once, when the connection is gone; soon, when it is gone already. */
  readonly onClosed: (listener: (fault: Fault) => void) => () => void
}

/**
 * The address to connect to, and the name to use there. root: the prefix of the topics the session watches for itself,
 * `/<name>` by default.
 */
export interface Nt4Dial {
  readonly host: string
  readonly port: number
  readonly name: string
  readonly root?: string
}

/** A listening server. port: the real one when 0 was asked for. */
export interface Nt4Server {
  readonly host: string
  readonly port: number
  readonly clients: () => number
}

/** Where to listen. persistentFile: where persistent topics are kept; null: nowhere. */
export interface Nt4Listen {
  readonly host: string
  readonly port: number
  readonly persistentFile: string | null
}

/** Takes what went wrong without ending anything: `nt4.bad_message`, `nt4.type_conflict`. Called at a bounded rate. */
export type Nt4Report = (fault: Fault) => void

export interface Nt4Port {
  /**
   * Connects, synchronises the clock, holds a subscription of its own; the connection closes with the scope.
   *
   * Fails with `nt4.unreachable`, `nt4.refused` (not an NT4 server) or `nt4.no_clock`, after 4 s at the latest.
   * answered: called when the host takes the connection, before the handshake.
   */
  readonly connect: (
    to: Nt4Dial,
    report: Nt4Report,
    answered?: () => void,
  ) => Effect.Effect<Nt4Session, Fault, Scope.Scope>
  /**
   * Listens; closes with the scope. Fails with `nt4.port_taken` or `nt4.not_listening`. Once it listens it does not
   * fail.
   */
  readonly serve: (at: Nt4Listen, report: Nt4Report) => Effect.Effect<Nt4Server, Fault, Scope.Scope>
}

/** NT4 as this device speaks it. */
export const NT4 = token<Nt4Port>('nt4')

/**
 * The server to look at, and the name to use there. refusal: why an address may not be looked at; asked for each that
 * the host's name stands for, which is looked up once, and no other is connected to.
 */
export interface Nt4Look {
  readonly host: string
  readonly port: number
  readonly name: string
  readonly refusal: (address: string) => Fault | undefined
}

/**
 * What of its limits a look has met: it was cut short after so much time, or so many bytes. null: the server had no
 * more to say.
 */
export type Nt4LookLimit = 'time' | 'bytes' | null

/** What a look has seen. topics: those whose names begin as asked, by name. */
export interface Nt4TopicsSeen {
  readonly protocol: '4.1' | '4.0'
  readonly topics: readonly Nt4Topic[]
  readonly limit: Nt4LookLimit
}

/** A topic of the robot's server, as it is now. */
export interface Nt4TopicSeen {
  readonly protocol: '4.1' | '4.0'
  readonly topic: Nt4Topic
  /** Undefined while nobody has written a value, or the server keeps none. */
  readonly newest: Omit<Nt4Update, 'topic'> | undefined
  /** Of the structs in it, by name, as far as they are published. */
  readonly layouts: ReadonlyMap<string, string>
}

/** Who watches all topics of a server. What is told here must not throw. */
export interface Nt4Watcher {
  /** The server is there, and what follows is all that it has, then what changes. */
  readonly began: (protocol: '4.1' | '4.0') => void
  /** A topic is there, or has other properties. false: it is not wanted, and nothing more is told of it. */
  readonly announced: (topic: Nt4Topic) => boolean
  readonly gone: (name: string) => void
  readonly arrived: (update: Nt4Update) => void
  /** It is over, by itself: the server was not reached, or is gone. Called once at most. */
  readonly ended: (fault: Fault) => void
}

/**
 * Looks at a server in a session of its own, which ends with the look: after 2 s and 4 MiB at the latest, whatever the
 * server does.
 *
 * Both fail with `nt4.unreachable`, `nt4.refused` (not an NT4 server), `nt4.no_clock`, `nt4.closed`, `service.busy`
 * (too many at once), or what `refusal` says.
 */
export interface Nt4Inspection {
  readonly topics: (at: Nt4Look, prefix: string) => Promise<Nt4TopicsSeen | Fault>
  /** Fails with `nt4.topic_not_found` as well. */
  readonly topic: (at: Nt4Look, name: string) => Promise<Nt4TopicSeen | Fault>
  /**
   * Watches all topics of a server, in a session of its own, until the function is called that is returned. Each is
   * told of ten times a second at most. It is not for strangers: no limit ends it.
   */
  readonly watch: (at: Nt4Dial, watcher: Nt4Watcher) => () => void
}

/** How this device looks at NT4 servers. */
export const NT4_INSPECTION = token<Nt4Inspection>('nt4-inspection')
