// All console sessions: what is known of each, what is logged and published of them, and the way to start, attach to
// and end one. What is typed and shown goes by here only in `Terminal`, and into no log.
import { consoleChanged } from '../../machines/console/events.ts'
import {
  type ConsoleEnding,
  type ConsoleSession,
  type ConsoleState,
  DEFAULT_SIZE,
  deviceConsole,
  endingText,
  MAX_CONSOLE_SESSIONS,
  type NewConsoleSession,
} from '../../machines/console/session.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import { token } from '../../machines/token.ts'
import type { ConsolePort } from '../../native/console/port.ts'
import type { Log } from '../../native/log/port.ts'
import type { Directory } from '../directory.ts'
import { Terminal } from './terminal.ts'
import type { ConsoleSeat, Consoles, ConsoleViewer } from './tokens.ts'

/** What they work with. */
export interface ConsolesParts {
  readonly directory: Pick<Directory, 'identity' | 'clock' | 'events'>
  readonly port: ConsolePort
  readonly log: Log
  /** Whether the service was started so that there is a console. */
  readonly isEnabled: boolean
  readonly onBug: OnBug
}

/** What the actor of a session is told. */
export type SessionFact = 'console.attached' | 'console.detached' | 'console.typed' | 'session.end'

const TYPED_EVERY_US = 1_000_000 // an hour is counted from the latest key, and a second more does not matter
const RUN_CHARACTERS = 8 // of the epoch; two runs that share them are as likely as a broken disk

/** A session that has not ended. */
export class RunningSession {
  readonly terminal: Terminal
  /** Told to its actor. */
  readonly facts: Listeners<SessionFact>
  readonly changed: (session: ConsoleSession) => void
  #document: ConsoleSession
  #typedAtUs = Number.NEGATIVE_INFINITY
  #endedBy: string | undefined
  #hasBegun = false
  #tellUp: (() => void) | undefined
  #tellEnd: ((ending: ConsoleEnding) => void) | undefined
  /** Answered when its program runs, or it has ended. */
  readonly up: Promise<void>
  readonly ended: Promise<ConsoleEnding>

  constructor(
    document: ConsoleSession,
    {
      clock,
      onBug,
      changed,
    }: Pick<ConsolesParts['directory'], 'clock'> & {
      readonly onBug: OnBug
      readonly changed: (session: ConsoleSession) => void
    },
  ) {
    this.#document = document
    this.changed = changed
    this.facts = new Listeners(onBug)
    this.up = new Promise((resolve) => {
      this.#tellUp = resolve
    })
    this.ended = new Promise((resolve) => {
      this.#tellEnd = resolve
    })
    this.terminal = new Terminal({
      attached: ({ address }) => this.#set({ attached_from: address }, 'console.attached'),
      detached: () => this.#set({ attached_from: null }, 'console.detached'),
      resized: ({ columns, rows }) => this.#set({ columns, rows }),
      typed: () => {
        const nowUs = clock.monotonicUs()
        if (nowUs - this.#typedAtUs < TYPED_EVERY_US) return
        this.#typedAtUs = nowUs
        this.facts.notify('console.typed')
      },
    })
  }

  get document(): ConsoleSession {
    return this.#document
  }

  /** Who ended it; undefined: nobody did. */
  get endedBy(): string | undefined {
    return this.#endedBy
  }

  /** Whether its program is to be started: once. */
  begin(): boolean {
    const isFirst = !this.#hasBegun
    this.#hasBegun = true
    return isFirst
  }

  showState(state: ConsoleState): void {
    const isUp = state === 'detached' && this.#document.state === 'starting'
    this.#set({ state })
    this.changed(this.#document)
    if (isUp) this.#tellUp?.()
  }

  endBy(address: string): void {
    this.#endedBy ??= address
    this.facts.notify('session.end')
  }

  /** The first end counts. */
  end(ending: ConsoleEnding): void {
    const { reason, exitCode: code = null, signal = null } = ending
    this.terminal.end({ kind: 'exit', reason, code, signal, detail: endingText(ending) })
    this.#tellEnd?.(ending)
    this.#tellUp?.()
  }

  #set(change: Partial<ConsoleSession>, fact?: SessionFact): void {
    this.#document = { ...this.#document, ...change }
    if (fact) this.facts.notify(fact)
  }
}

/** The sessions, for those who start their programs. */
export const CONSOLE_SESSIONS = token<ConsoleSessions>('console-sessions')

export class ConsoleSessions implements Consoles {
  readonly #parts: ConsolesParts
  readonly #sessions = new Map<string, RunningSession>()
  readonly #changes: Listeners<void>
  #count = 0

  constructor(parts: ConsolesParts) {
    this.#parts = parts
    this.#changes = new Listeners(parts.onBug)
  }

  readonly all = async (): Promise<readonly ConsoleSession[] | Fault> => {
    const { absent } = await this.#parts.port.look()
    if (absent !== null) return { code: 'console.failed', detail: `no terminal can be had on this device: ${absent}` }
    return [...this.#sessions.values()].map(({ document }) => document)
  }

  readonly device = async () => deviceConsole(this.#parts.isEnabled, await this.#parts.port.look())

  readonly create = async (wanted: NewConsoleSession, from: string): Promise<ConsoleSession | Fault> => {
    if (this.#sessions.size >= MAX_CONSOLE_SESSIONS) return TOO_MANY
    const { program = 'shell', columns = DEFAULT_SIZE.columns, rows = DEFAULT_SIZE.rows } = wanted
    const session = this.add({
      session_id: this.#newId(),
      program,
      state: 'starting',
      columns,
      rows,
      created_at_ms: this.#parts.directory.clock.nowMs(),
      created_from: from,
      attached_from: null,
    })
    const id = session.document.session_id
    await session.up
    if (this.#sessions.has(id)) return session.document
    return {
      code: 'console.failed',
      detail: `The session has ended before it was there: ${endingText(await session.ended)}.`,
    }
  }

  readonly end = async (id: string, from: string): Promise<Fault | undefined> => {
    const session = this.#sessions.get(id)
    if (!session) return unknown(id)
    session.endBy(from)
    await session.ended
    return undefined
  }

  readonly refusal = (id: string): Fault | undefined => (this.#sessions.has(id) ? undefined : unknown(id))

  readonly attach = (id: string, viewer: ConsoleViewer): ConsoleSeat | Fault => {
    const session = this.#sessions.get(id)
    if (!session) return unknown(id)
    const before = session.terminal.viewer
    const instead = before ? `, in place of ${before.address}` : ''
    this.#audit(session.document, `has ${viewer.address} attached${instead}`)
    viewer.tell({ kind: 'attached', session: { ...session.document, state: 'open', attached_from: viewer.address } })
    return session.terminal.attach(viewer)
  }

  /** Has one started, of which this is known so far. */
  add(document: ConsoleSession): RunningSession {
    const { directory, onBug } = this.#parts
    const changed = (now: ConsoleSession) => this.#tell(now, false)
    const session = new RunningSession(document, { clock: directory.clock, onBug, changed })
    this.#sessions.set(document.session_id, session)
    this.#audit(document, `was asked for by ${document.created_from}`)
    this.#tell(document, false)
    this.#changes.notify()
    return session
  }

  /** Calls back when there are others; returns the way to stop that. */
  watch(changed: () => void): () => void {
    return this.#changes.add(changed)
  }

  get(id: string): RunningSession | undefined {
    return this.#sessions.get(id)
  }

  ids(): readonly string[] {
    return [...this.#sessions.keys()]
  }

  /** Of a session whose program and all that it started are gone. The first end counts. */
  ended(id: string, ending: ConsoleEnding): void {
    const session = this.#sessions.get(id)
    if (!session) return
    this.#sessions.delete(id)
    const by = session.endedBy === undefined ? '' : ` (${session.endedBy})`
    this.#audit(session.document, `has ended: ${endingText(ending)}${by}`)
    session.end(ending)
    this.#tell(session.document, true)
    this.#changes.notify()
  }

  #newId(): string {
    this.#count += 1
    return `${this.#parts.directory.identity.epoch.slice(0, RUN_CHARACTERS)}-${this.#count}`
  }

  /** One line for each start, attach and end. */
  #audit({ session_id, program }: ConsoleSession, what: string): void {
    this.#parts.log('info', `console session ${session_id} (${program}) ${what}`, { part: 'console', session_id })
  }

  #tell({ session_id, program, state }: ConsoleSession, deleted: boolean): void {
    this.#parts.directory.events.publish(consoleChanged, {
      resource_ref: { session_id },
      data: { program, state: deleted ? null : state, deleted },
    })
  }
}

const TOO_MANY: Fault = {
  code: 'console.too_many',
  detail: `${MAX_CONSOLE_SESSIONS} console sessions run already; end one first`,
}

const unknown = (id: string): Fault => ({
  code: 'console.not_found',
  detail: `there is no console session ${JSON.stringify(id.slice(0, 40))}; it may have ended`,
})
