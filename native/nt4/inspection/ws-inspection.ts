// Looks at NT4 servers over WebSockets: what topics there are, and what is in one.
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { missingStructs, schemaTopic, structIn } from '../../../machines/nt4/struct.ts'
import { addressText } from '../../../machines/nt4/target.ts'
import { limitConcurrentLookups } from '../../names/concurrent-lookups.ts'
import { type Lookup, systemLookup } from '../../names/lookup.ts'
import { wireTypeOf } from '../codec.ts'
import type { Nt4Inspection, Nt4Look, Nt4Topic, Nt4TopicSeen, Nt4TopicsSeen } from '../port.ts'
import { type Asking, type Listening, type Looked, look } from './look.ts'
import { watchServer } from './watch.ts'

const MAX_LOOKS = 4 // at a time: each may hold some MiB
const PERIOD_S = 0.01

const topics = async (at: Nt4Look, lookup: Lookup, prefix: string): Promise<Nt4TopicsSeen | Fault> => {
  const seen = new Map<number, Nt4Topic>()
  const looked = await look(at, lookup, ({ subscribe, goOn }) => {
    subscribe([prefix], { prefix: true, topicsonly: true, periodic: PERIOD_S })
    return {
      heard: (message) => {
        if (message.method === 'unannounce') seen.delete(message.id)
        if (message.method !== 'announce' || !message.name.startsWith(prefix)) return
        const { id, name, type, properties } = message
        if (seen.get(id)?.name !== name) goOn()
        seen.set(id, { name, type, properties })
      },
    }
  })
  if (isFault(looked)) return looked
  const byName = new Map([...seen.values()].map((topic) => [topic.name, topic]))
  return { ...looked, topics: [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

const topic = async (at: Nt4Look, lookup: Lookup, name: string): Promise<Nt4TopicSeen | Fault> => {
  let watch: TopicWatch | undefined
  const looked = await look(at, lookup, (asking) => {
    watch = new TopicWatch(name, asking)
    return watch
  })
  return isFault(looked) ? looked : (watch?.seen(looked) ?? notThere(at, name, looked))
}

const notThere = (at: Nt4Look, name: string, { limit }: Looked): Fault => {
  const where = addressText(at)
  if (limit === null)
    return { code: 'nt4.topic_not_found', detail: `there is no topic ${JSON.stringify(name)} at ${where} now` }
  const what = limit === 'time' ? 'takes too long' : 'sends too much'
  return {
    code: 'nt4.closed',
    detail: `${where} ${what} to find ${JSON.stringify(name)} there; the look was ended here`,
  }
}

/** Waits for a topic, its newest value, and the layouts of the structs in it. */
class TopicWatch implements Listening {
  readonly #name: string
  readonly #asking: Asking
  /** By id: the topic itself and those with layouts. */
  readonly #known = new Map<number, Nt4Topic>()
  readonly #asked = new Set<string>()
  readonly #layouts = new Map<string, string>()
  /** Names of structs that were not seen yet. */
  #missing: readonly string[] = []
  #topic: Nt4Topic | undefined
  #newest: Nt4TopicSeen['newest']

  constructor(name: string, asking: Asking) {
    this.#name = name
    this.#asking = asking
    this.#ask(name)
  }

  readonly heard: Listening['heard'] = (message) => {
    if (message.method === 'unannounce') {
      this.#known.delete(message.id)
      if (message.name === this.#name) this.#topic = this.#newest = undefined
    }
    if (message.method !== 'announce' || !this.#asked.has(message.name)) return
    const { id, name, type, properties } = message
    this.#known.set(id, { name, type, properties })
    if (name !== this.#name) return
    this.#topic = { name, type, properties }
    this.#newest = undefined
    this.#asking.goOn()
    this.#askForLayouts()
  }

  readonly arrived: NonNullable<Listening['arrived']> = ({ id, wireType, value, timestampUs }) => {
    const from = this.#known.get(id)
    if (!from || wireTypeOf(from.type) !== wireType) return
    if (from.name === this.#name) {
      this.#newest = { value, timestampUs }
    } else if (value instanceof Uint8Array && this.#take(from.name.slice(schemaTopic('').length), value)) {
      this.#asking.goOn()
      this.#askForLayouts()
    }
    if (this.#newest && this.#missing.length === 0) this.#asking.finish()
  }

  seen({ protocol }: Looked): Nt4TopicSeen | undefined {
    const topic = this.#topic
    return topic && { protocol, topic, newest: this.#newest, layouts: this.#layouts }
  }

  /** Only the first that comes under a name. */
  #take(struct: string, text: Uint8Array): boolean {
    if (this.#layouts.has(struct)) return false
    this.#layouts.set(struct, new TextDecoder().decode(text))
    return true
  }

  #askForLayouts(): void {
    const struct = this.#topic && structIn(this.#topic.type)
    this.#missing = struct ? missingStructs(struct.name, this.#layouts) : []
    for (const name of this.#missing.map(schemaTopic)) if (!this.#asked.has(name)) this.#ask(name)
  }

  #ask(name: string): void {
    this.#asked.add(name)
    this.#asking.subscribe([name], { periodic: PERIOD_S })
  }
}

/** Looks over real sockets, few at a time. lookup: says where names are. */
export const webSocketInspection = (lookup: Lookup = systemLookup): Nt4Inspection => {
  const detail = `${MAX_LOOKS} looks at NT4 servers are under way; try again in a second`
  const counted = limitConcurrentLookups(MAX_LOOKS, lookup, { code: 'service.busy', detail })
  return {
    topics: (at, prefix) => counted((lookup) => topics(at, lookup, prefix)),
    topic: (at, name) => counted((lookup) => topic(at, lookup, name)),
    watch: watchServer,
  }
}
