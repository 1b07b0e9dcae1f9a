// Looks at NT4 servers that are not there: every address but the silent ones shows the same topics.
import type { Fault } from '../../machines/errors/fault.ts'
import { addressText } from '../../machines/nt4/target.ts'
import type { Nt4Dial, Nt4Inspection, Nt4Look, Nt4TopicSeen, Nt4Watcher } from './port.ts'

/** What is to be seen, by name. */
type Shown = Omit<Nt4TopicSeen, 'protocol'>

const SHOWN: readonly Shown[] = [
  {
    topic: { name: '/SmartDashboard/Auto', type: 'string', properties: {} },
    newest: { value: 'two notes', timestampUs: 1_000_000 },
    layouts: new Map(),
  },
]

/** Looks that reach nobody. */
export class FakeNt4Inspection implements Nt4Inspection {
  shown: readonly Shown[] = SHOWN
  /** Hosts at which nothing answers. */
  readonly silent = new Set<string>()
  /** Each look, in order. */
  readonly looks: Nt4Look[] = []
  /** Each that goes on, in order: what a server would tell them is said by hand. */
  readonly watches: { readonly at: Nt4Dial; readonly watcher: Nt4Watcher }[] = []

  readonly topics: Nt4Inspection['topics'] = async (at, prefix) => {
    const refusal = this.#look(at)
    const topics = this.shown.map(({ topic }) => topic).filter(({ name }) => name.startsWith(prefix))
    return refusal ?? { protocol: '4.1', topics, limit: null }
  }

  readonly topic: Nt4Inspection['topic'] = async (at, name) => {
    const refusal = this.#look(at)
    if (refusal) return refusal
    const found = this.shown.find(({ topic }) => topic.name === name)
    return found
      ? { protocol: '4.1', ...found }
      : { code: 'nt4.topic_not_found', detail: `there is no topic ${name} at ${addressText(at)}` }
  }

  readonly watch: Nt4Inspection['watch'] = (at, watcher) => {
    const watch = { at, watcher }
    this.watches.push(watch)
    return () => {
      const place = this.watches.indexOf(watch)
      if (place >= 0) this.watches.splice(place, 1)
    }
  }

  #look(at: Nt4Look): Fault | undefined {
    this.looks.push(at)
    if (this.silent.has(at.host)) return { code: 'nt4.unreachable', detail: `nothing answers at ${addressText(at)}` }
    return at.refusal(at.host)
  }
}
