// The topics of the server: who publishes them, what is kept of them, and when they go.
import { type WireType, wireTypeOf } from '../codec.ts'
import { type JsonMap, updated } from '../control.ts'

/** A value that is kept for later subscribers. */
export interface KeptValue {
  readonly timestampUs: number
  /** The complete message as every subscriber gets it. */
  readonly bytes: Uint8Array
  /** Null for a restored one, which any client's real value replaces. */
  readonly from: object | null
}

/** A topic. */
export interface ServerTopic {
  /** The same for every client. */
  readonly id: number
  readonly name: string
  readonly type: string
  readonly wireType: WireType
  readonly publishers: Set<object>
  /** The list that is the value of one of the server's own topics, made when a client asks. */
  readonly about: (() => readonly unknown[]) | undefined
  properties: JsonMap
  kept: KeptValue | undefined
}

/** What becomes of a value: nothing, passed on to present subscribers only, or kept as well. */
export type Verdict = 'dropped' | 'live' | 'kept'

/** All topics, by name. A publisher is any object that stands for one publication. */
export class Topics {
  readonly #byName = new Map<string, ServerTopic>()
  #lastId = 0

  all(): IterableIterator<ServerTopic> {
    return this.#byName.values()
  }

  get(name: string): ServerTopic | undefined {
    return this.#byName.get(name)
  }

  create(name: string, type: string, properties: JsonMap, about?: () => readonly unknown[]): ServerTopic {
    this.#lastId += 1
    const topic: ServerTopic = {
      id: this.#lastId,
      name,
      type,
      wireType: wireTypeOf(type),
      publishers: new Set(),
      about,
      properties: updated({}, properties),
      kept: undefined,
    }
    this.#byName.set(name, topic)
    return topic
  }

  remove(topic: ServerTopic): void {
    this.#byName.delete(topic.name)
  }
}

/** Whether nothing holds the topic any more. */
export const isOver = (topic: ServerTopic): boolean =>
  !topic.about &&
  topic.publishers.size === 0 &&
  topic.properties.persistent !== true &&
  topic.properties.retained !== true

/** Merges an update; a topic that is no longer cached forgets its value. */
export const setProperties = (topic: ServerTopic, update: JsonMap): void => {
  topic.properties = updated(topic.properties, update)
  if (topic.properties.cached === false) topic.kept = undefined
}

/**
 * Keeps a value if the rules of time stamps let it.
 *
 * 0 is a default and never replaces a real value. An older stamp replaces the kept one only when the same client set
 * that; it is passed on in any case. A restored one has the time at which it was loaded, which is nobody's measurement.
 */
export const keep = (topic: ServerTopic, value: KeptValue): Verdict => {
  const { kept } = topic
  if (kept && value.timestampUs === 0 && kept.timestampUs !== 0) return 'dropped'
  if (topic.properties.cached === false) return 'live'
  const older = kept !== undefined && value.timestampUs < kept.timestampUs
  if (older && kept.from !== null && kept.from !== value.from && kept.timestampUs !== 0) return 'live'
  topic.kept = value
  return 'kept'
}
