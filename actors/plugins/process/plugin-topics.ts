// The NT topics of a plugin: published while it runs and there is a link, at most so many, so large and so often.
import type { Latest } from '../../../machines/latest.ts'
import { type FromPlugin, MAX_TOPIC_BYTES, MAX_TOPICS } from '../../../machines/plugins/process/messages.ts'
import type { Nt4Session, Nt4Value } from '../../../native/nt4/port.ts'
import { startTimer } from '../../timer.ts'

type Published = Extract<FromPlugin, { readonly type: 'publish' }>

export interface PluginTopicsParts {
  /** To the robot. */
  readonly link: Latest<Nt4Session | undefined>
}

/** Topics of plugins lie below it, and their names. */
export const PLUGIN_ROOT = '/vedette/plugins'

/** Of what comes faster the newest is written. */
const BETWEEN_WRITES_MS = 20

interface Topic {
  readonly type: Published['nt_type']
  value: Nt4Value
  handle: number | undefined
}

export class PluginTopics {
  readonly #prefix: string
  readonly #topics = new Map<string, Topic>()
  readonly #changed = new Set<Topic>()
  readonly #unsubscribe: () => void
  #session: Nt4Session | undefined
  #stopTimer: (() => void) | undefined
  #isPaused = false

  constructor(name: string, parts: PluginTopicsParts) {
    this.#prefix = `${PLUGIN_ROOT}/${name}/`
    this.#session = parts.link.value
    this.#unsubscribe = parts.link.subscribe((session) => this.#link(session))
  }

  /** Why nothing came of it. */
  publish(name: string, type: Published['nt_type'], said: Published['value'], bytes?: Uint8Array): string | undefined {
    const value = type === 'raw' ? bytes : fitting(type, said)
    if (value === undefined || value === null) return `the topic ${name} has a value that is not of its type`
    if (sizeOf(value) > MAX_TOPIC_BYTES) return `the topic ${name} has a value of more than ${MAX_TOPIC_BYTES} bytes`
    const known = this.#topics.get(name)
    if (known && known.type !== type) return `the topic ${name} is of the type ${known.type}`
    if (!known && this.#topics.size >= MAX_TOPICS) return `it publishes more than ${MAX_TOPICS} topics`
    const topic = known ?? { type, value, handle: this.#session?.publish(this.#prefix + name, type) }
    topic.value = value
    this.#topics.set(name, topic)
    this.#changed.add(topic)
    this.#write()
    return undefined
  }

  unpublish(name: string): void {
    const topic = this.#topics.get(name)
    if (!topic) return
    if (topic.handle !== undefined) this.#session?.unpublish(topic.handle)
    this.#topics.delete(name)
    this.#changed.delete(topic)
  }

  close(): void {
    this.#unsubscribe()
    this.#stopTimer?.()
    for (const name of [...this.#topics.keys()]) this.unpublish(name)
  }

  /** Another session knows nothing of what the previous one had. */
  #link(session: Nt4Session | undefined): void {
    this.#session = session
    for (const [name, topic] of this.#topics) {
      topic.handle = session?.publish(this.#prefix + name, topic.type)
      this.#changed.add(topic)
    }
    this.#write()
  }

  #write(): void {
    if (this.#isPaused || !this.#session || this.#changed.size === 0) return
    const isTaken = this.#session.write(
      [...this.#changed].flatMap(({ handle, value }) => (handle === undefined ? [] : [[handle, value] as const])),
    )
    if (isTaken) this.#changed.clear() // else the robot did not read: then the newest of each is written later
    this.#isPaused = true
    this.#stopTimer = startTimer(BETWEEN_WRITES_MS, () => {
      this.#isPaused = false
      this.#write()
    })
  }
}

const IS_ONE: Readonly<Record<string, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  double: (value) => typeof value === 'number',
  int: Number.isSafeInteger,
  string: (value) => typeof value === 'string',
}

/** The value, if it is of the type. */
const fitting = (type: string, value: unknown): Nt4Value | undefined => {
  const isOne = IS_ONE[type.replace('[]', '')]
  const fits = type.endsWith('[]') ? Array.isArray(value) && value.every((each) => isOne?.(each)) : isOne?.(value)
  return fits ? (value as Nt4Value) : undefined
}

const sizeOf = (value: Nt4Value): number => {
  if (typeof value === 'string') return value.length
  if (value instanceof Uint8Array) return value.length
  if (Array.isArray(value))
    return value.reduce((sum: number, each: unknown) => sum + (typeof each === 'string' ? each.length + 5 : 9), 0)
  return 9
}
