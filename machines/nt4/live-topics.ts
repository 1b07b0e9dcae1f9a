// The topics of a server with their newest values, as far as there is room: what a page shows of them. Pure.
import { type JsonValue, jsonValue } from './json-value.ts'
import { readStruct } from './struct.ts'

/** Beyond so many, and so much of them, nothing more is kept. */
export const MAX_LIVE_TOPICS = 10_000
const MAX_LIVE_BYTES = 8 * 1024 * 1024
const MAX_LEFT_OUT_BYTES = 4 * 1024 * 1024 // of names

const MAX_ELEMENTS = 64
const MAX_CHARACTERS = 1_000
const MAX_RAW_BYTES = 4 * 1024
const SCHEMA = '/.schema/struct:'

/** A topic, as the server announced it. */
export interface AnnouncedTopic {
  readonly name: string
  readonly type: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** A value as it is shown: not more of it than people read. */
export interface LiveValue {
  /** null: it is bytes that are not taken apart. */
  readonly value: JsonValue | null
  /** How many elements an array has, or bytes what travels as bytes; null: it is neither. */
  readonly count: number | null
  /** Whether there is more of it than is shown. */
  readonly is_cut: boolean
  /** Why bytes are not shown; null: they are, or it is none. */
  readonly not_decoded: string | null
}

/** A topic with its newest value. */
export interface LiveTopic {
  readonly topic: AnnouncedTopic
  /** undefined: nobody has written one. */
  readonly shown: LiveValue | undefined
  /** Of the value, in the time of the server; undefined: there is none. */
  readonly timestampUs: number | undefined
  /** Bytes that could not be read yet: the layout of a struct may come after it. */
  readonly raw: Uint8Array | undefined
  /** What it takes, roughly, in bytes. */
  readonly size: number
}

/** All topics of one server. */
export class LiveTopics {
  readonly #topics = new Map<string, LiveTopic>()
  readonly #layouts = new Map<string, string>()
  readonly #leftOut = new Set<string>()
  #size = 0
  #leftOutBytes = 0
  #unnamed = 0

  /** Topics that are there and for which there was no room. */
  get leftOut(): number {
    return this.#leftOut.size + this.#unnamed
  }

  /** By name. */
  get all(): ReadonlyMap<string, LiveTopic> {
    return this.#topics
  }

  /** false: there is no room for it. */
  announced(topic: AnnouncedTopic): boolean {
    const known = this.#topics.get(topic.name)
    const size = sizeOfTopic(topic)
    if (!known && (this.#topics.size >= MAX_LIVE_TOPICS || this.#size + size > MAX_LIVE_BYTES)) {
      this.#leaveOut(topic.name)
      return false
    }
    this.#forgetLeftOut(topic.name)
    const isSame = known?.topic.type === topic.type
    this.#put({
      topic,
      shown: isSame ? known.shown : undefined,
      timestampUs: isSame ? known.timestampUs : undefined,
      raw: isSame ? known.raw : undefined,
      size,
    })
    return true
  }

  gone(name: string): void {
    this.#forgetLeftOut(name)
    this.#size -= this.#topics.get(name)?.size ?? 0
    this.#topics.delete(name)
  }

  /** Takes a value; returns the names of all topics that show another one for it. */
  arrived(name: string, value: unknown, timestampUs: number): readonly string[] {
    const known = this.#topics.get(name)
    if (!known) return []
    const bytes = value instanceof Uint8Array ? value : undefined
    const shown = bytes ? this.#readBytes(known.topic.type, bytes) : cut(value)
    const isOpen = bytes !== undefined && shown.not_decoded !== null && known.topic.type.startsWith('struct:')
    const raw = isOpen && bytes.length <= MAX_RAW_BYTES ? Uint8Array.from(bytes) : undefined
    const { topic } = known
    const size = sizeOfTopic(topic) + sizeOf(shown.value)
    const hasRoom = this.#size - known.size + size <= MAX_LIVE_BYTES
    this.#put(
      hasRoom
        ? { topic, timestampUs, shown, raw, size }
        : { topic, timestampUs, shown: TOO_MUCH, raw: undefined, size: sizeOfTopic(topic) },
    )
    return bytes && name.startsWith(SCHEMA) ? [name, ...this.#learn(name.slice(SCHEMA.length), bytes)] : [name]
  }

  /** What there is not even room to name is counted for good. */
  #leaveOut(name: string): void {
    if (this.#leftOut.has(name)) return
    if (this.#leftOutBytes + name.length > MAX_LEFT_OUT_BYTES) {
      this.#unnamed += 1
      return
    }
    this.#leftOut.add(name)
    this.#leftOutBytes += name.length
  }

  #forgetLeftOut(name: string): void {
    if (this.#leftOut.delete(name)) this.#leftOutBytes -= name.length
  }

  #put(topic: LiveTopic): void {
    this.#size += topic.size - (this.#topics.get(topic.topic.name)?.size ?? 0)
    this.#topics.set(topic.topic.name, topic)
  }

  /** The layout of a struct is there: values of it that wait for it can be read. */
  #learn(struct: string, layout: Uint8Array): readonly string[] {
    if (layout.length > MAX_RAW_BYTES) return []
    this.#layouts.set(struct, new TextDecoder().decode(layout))
    return [...this.#topics.values()].flatMap((known) => {
      if (!known.raw) return []
      const shown = this.#readBytes(known.topic.type, known.raw)
      if (shown.not_decoded !== null) return []
      this.#put({ ...known, shown, raw: undefined })
      return [known.topic.name]
    })
  }

  #readBytes(type: string, bytes: Uint8Array): LiveValue {
    if (type.startsWith('struct:')) {
      const read = readStruct(type, bytes, this.#layouts)
      if (read.ok) return cut(read.value)
      return { value: null, count: bytes.length, is_cut: true, not_decoded: read.reason }
    }
    const not_decoded = `values of the type ${type} are not taken apart here`
    return { value: null, count: bytes.length, is_cut: true, not_decoded }
  }
}

const TOO_MUCH: LiveValue = { value: null, count: null, is_cut: true, not_decoded: 'there is no room for it here' }

const cut = (value: unknown): LiveValue => {
  if (typeof value === 'string') {
    const is_cut = value.length > MAX_CHARACTERS
    return { value: is_cut ? value.slice(0, MAX_CHARACTERS) : value, count: null, is_cut, not_decoded: null }
  }
  if (!Array.isArray(value) && !(value instanceof Float64Array))
    return { value: jsonValue(value), count: null, is_cut: false, not_decoded: null }
  const first = Array.from(value.slice(0, MAX_ELEMENTS) as readonly unknown[])
  const short = first.map((each) => (typeof each === 'string' ? each.slice(0, MAX_CHARACTERS) : each))
  const is_cut = value.length > MAX_ELEMENTS || short.some((each, n) => !Object.is(each, first[n]))
  return { value: jsonValue(short), count: value.length, is_cut, not_decoded: null }
}

const sizeOfTopic = ({ name, type, properties }: AnnouncedTopic): number =>
  name.length + type.length + JSON.stringify(properties).length

const sizeOf = (value: JsonValue | null): number => {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object') return 8
  return Object.entries(value).reduce((sum, [name, each]) => sum + name.length + sizeOf(each as JsonValue), 8)
}
