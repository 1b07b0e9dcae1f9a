// The topics of the server with which there is a link, with their values, on a WebSocket: for as long as somebody
// listens, in one session with that server for all who do.
import type { WebSocket } from 'ws'
import type { Directory } from '../../actors/directory.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import { LiveTopics } from '../../machines/nt4/live-topics.ts'
import { linkedAddress } from '../../machines/nt4/nt4-link-machine.ts'
import type { Nt4Settings } from '../../machines/nt4/settings.ts'
import { addressText } from '../../machines/nt4/target.ts'
import type { Nt4Inspection, Nt4Role, Nt4Session } from '../../native/nt4/port.ts'
import { sayGoodbye } from '../connections/goodbye.ts'

/** What the topics are watched with. */
export interface LiveTopicParts {
  readonly inspection: Pick<Nt4Inspection, 'watch'>
  /** Holds the session of the link while there is one. */
  readonly link: Latest<Nt4Session | undefined>
  readonly settings: () => { readonly value: Nt4Settings }
  readonly directory: Directory
}

/** At the device. Each costs the process that controls everything a text for each batch of values. */
export const MAX_TOPIC_LISTENERS = 8
const TOPICS_A_MESSAGE = 500
const STALL_LIMIT_MS = 30_000 // as viewers
const RETRY_MS = 1_000

/** The server that is watched now, or why none is. */
interface Watched {
  readonly server: string | null
  readonly protocol: '4.1' | '4.0' | null
  readonly fault: Fault | null
}

const NOBODY: Watched = { server: null, protocol: null, fault: null }

/** Watches while somebody listens. */
export class LiveTopicFeed {
  readonly #parts: LiveTopicParts
  readonly #listeners = new Set<TopicListener>()
  #topics = new LiveTopics()
  #watched = NOBODY
  #stopWatch: (() => void) | undefined
  #stopLink: (() => void) | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(parts: LiveTopicParts) {
    this.#parts = parts
  }

  /** Why one more cannot listen now; undefined: it can. */
  full(): Fault | undefined {
    if (this.#listeners.size < MAX_TOPIC_LISTENERS) return undefined
    return { code: 'viewer.too_many', detail: `${MAX_TOPIC_LISTENERS} listen to the topics; close one first` }
  }

  /** Tells a socket everything there is, then what changes: of each topic so many times a second at most. */
  accept(socket: WebSocket, ratePerS: number): void {
    const listener = new TopicListener(socket, ratePerS, (names) => this.#describe(names))
    this.#listeners.add(listener)
    socket.once('close', () => {
      listener.stop()
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#end()
    })
    if (this.#listeners.size === 1) this.#begin()
    listener.begin(this.#serverText(), [...this.#topics.all.keys()])
  }

  /** Says goodbye to all; who does not answer is cut off. */
  close(): void {
    for (const { socket } of this.#listeners) {
      sayGoodbye(socket, 'the service stops')
    }
  }

  #begin(): void {
    // The link offers its session on its way to the state in which it says where that is.
    this.#stopLink = this.#parts.link.subscribe(() =>
      queueMicrotask(() => {
        if (this.#listeners.size > 0) this.#turn()
      }),
    )
    this.#turn()
  }

  #end(): void {
    this.#stopLink?.()
    this.#stop()
    this.#topics = new LiveTopics()
    this.#watched = NOBODY
  }

  #stop(): void {
    clearTimeout(this.#retry)
    this.#stopWatch?.()
    this.#stopWatch = undefined
  }

  /** The link has come, or was lost, or a watch has ended by itself. */
  #turn(): void {
    this.#stop()
    const { directory, inspection, link, settings } = this.#parts
    const snapshot = link.value && directory.actor('nt4-link')?.getSnapshot()
    const at = snapshot && linkedAddress(snapshot)
    if (!at) {
      if (link.value) this.#tryAgain() // the link is being started again
      this.#tellServer({ ...NOBODY, fault: NOT_LINKED })
      return
    }
    const server = addressText(at)
    this.#stopWatch = inspection.watch(
      { ...at, name: `${settings().value.client_name}-topics` },
      {
        began: (protocol) => {
          this.#topics = new LiveTopics()
          this.#tellServer({ server, protocol, fault: null })
        },
        announced: (topic) => {
          const isKept = this.#topics.announced(topic)
          this.#changed('topics', isKept ? [topic.name] : [])
          return isKept
        },
        gone: (name) => {
          const isKept = this.#topics.all.has(name)
          this.#topics.gone(name)
          if (isKept) this.#changed('gone', [name])
          else this.#changed('topics', [])
        },
        arrived: ({ topic: { name }, value, timestampUs }) =>
          this.#changed('values', this.#topics.arrived(name, value, timestampUs)),
        ended: (fault) => {
          this.#stopWatch = undefined
          this.#tellServer({ ...NOBODY, fault })
          this.#tryAgain()
        },
      },
    )
  }

  #tryAgain(): void {
    this.#retry = setTimeout(() => this.#turn(), RETRY_MS)
    this.#retry.unref()
  }

  #tellServer(watched: Watched): void {
    this.#watched = watched
    for (const listener of this.#listeners) listener.begin(this.#serverText(), [])
  }

  #serverText(): string {
    const { server, protocol, fault } = this.#watched
    return JSON.stringify({
      kind: 'server',
      server,
      protocol,
      fault: fault && { code: fault.code, detail: fault.detail },
    })
  }

  #changed(what: Change, names: readonly string[]): void {
    for (const listener of this.#listeners) listener.note(what, names)
  }

  /** What is to be told of some topics. Of what is gone by now nothing. */
  #describe(names: Iterable<string>): Described {
    const session = this.#parts.link.value
    const nowUs = session?.serverTimeUs()
    const roleOf = session?.roles() ?? noRole
    const of = (name: string) => {
      const known = this.#topics.all.get(name)
      if (!known) return []
      const { topic, shown, timestampUs } = known
      const isTimed = nowUs !== undefined && timestampUs !== undefined
      const age_ms = isTimed ? Math.max(0, Math.round((nowUs - timestampUs) / 1000)) : null
      const value = { name, ...(shown ?? NO_VALUE), age_ms }
      return [{ value, topic: { ...topic, role: roleOf(name) ?? null, ...value } }]
    }
    return { all: [...names].flatMap(of), leftOut: this.#topics.leftOut }
  }
}

const NOT_LINKED: Fault = { code: 'nt4.not_linked', detail: 'there is no link to the robot now' }
const NO_VALUE = { value: null, count: null, is_cut: false, not_decoded: null } as const
const noRole = (): Nt4Role | undefined => undefined

type Change = 'topics' | 'values' | 'gone'

interface Described {
  readonly all: readonly { readonly value: object; readonly topic: object }[]
  /** Topics that are there and for which there was no room. */
  readonly leftOut: number
}

/** One who listens. What waits for it are names: however slow it is, it is told the newest values. */
class TopicListener {
  readonly socket: WebSocket
  readonly #periodMs: number
  readonly #describe: (names: Iterable<string>) => Described
  readonly #waiting: Readonly<Record<Change, Set<string>>> = { topics: new Set(), values: new Set(), gone: new Set() }
  #timer: NodeJS.Timeout | undefined
  #sendingSinceMs: number | undefined
  #toldLeftOut = 0

  constructor(socket: WebSocket, ratePerS: number, describe: (names: Iterable<string>) => Described) {
    this.socket = socket
    this.#periodMs = 1000 / ratePerS
    this.#describe = describe
  }

  /** What was told before counts no more; these topics are told next. */
  begin(server: string, names: readonly string[]): void {
    this.stop()
    for (const names of Object.values(this.#waiting)) names.clear()
    this.#toldLeftOut = 0
    if (this.socket.readyState !== this.socket.OPEN) return
    this.socket.send(server)
    for (const name of names) this.#waiting.topics.add(name)
    if (names.length > 0) this.#flush()
  }

  note(what: Change, names: readonly string[]): void {
    const { topics, values, gone } = this.#waiting
    for (const name of names) {
      if (what === 'gone') {
        topics.delete(name)
        values.delete(name)
        gone.add(name)
      } else if (what === 'topics' || !topics.has(name)) {
        this.#waiting[what].add(name)
      }
      if (what === 'topics') gone.delete(name)
    }
    this.#timer ??= setTimeout(() => this.#flush(), this.#periodMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #flush(): void {
    this.#timer = undefined
    if (this.socket.readyState !== this.socket.OPEN) return
    if (this.#sendingSinceMs !== undefined) {
      if (performance.now() - this.#sendingSinceMs > STALL_LIMIT_MS) this.socket.terminate()
      else this.#timer = setTimeout(() => this.#flush(), this.#periodMs)
      return
    }
    const { topics, values, gone } = this.#waiting
    if (gone.size > 0) this.#send({ kind: 'gone', names: [...gone] })
    this.#sendTopics(this.#describe(topics))
    const changed = this.#describe(values).all
    for (let at = 0; at < changed.length; at += TOPICS_A_MESSAGE)
      this.#send({ kind: 'values', values: changed.slice(at, at + TOPICS_A_MESSAGE).map(({ value }) => value) })
    for (const names of [topics, values, gone]) names.clear()
  }

  /** None where only how many are left out has changed. */
  #sendTopics({ all, leftOut }: Described): void {
    const isNews = leftOut !== this.#toldLeftOut
    this.#toldLeftOut = leftOut
    for (let at = 0; at < all.length || (at === 0 && isNews); at += TOPICS_A_MESSAGE)
      this.#send({
        kind: 'topics',
        topics: all.slice(at, at + TOPICS_A_MESSAGE).map(({ topic }) => topic),
        left_out: leftOut,
      })
  }

  #send(message: object): void {
    const since = performance.now()
    this.#sendingSinceMs = since
    this.socket.send(JSON.stringify(message), () => {
      if (this.#sendingSinceMs === since) this.#sendingSinceMs = undefined
    })
  }
}
