// The sessions of this run, by their cookies. One for all servers of the device, so that a sign-in over TLS can be
// ended over TLS or without.
import { createHash, randomBytes } from 'node:crypto'
import { goodSessions, SESSION_MS, type Session, withSession } from '../../machines/http/session.ts'
import { Listeners } from '../../machines/listeners.ts'

/** What the sessions of browsers are kept with. */
export interface SessionsParts {
  /** The sessions of earlier runs. */
  readonly kept: readonly Session[]
  /** Stores them all. */
  readonly keep: (sessions: readonly Session[]) => Promise<void>
  /** The fingerprint of the token that is good now; null: none is. */
  readonly token: string | null
  /** Unix time. */
  readonly nowMs: () => number
}

const SECRET_BYTES = 32

/**
 * What a secret is known by. To find it by its hash takes no care about time: a guess is hashed before it is compared.
 */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export class Sessions {
  readonly #parts: SessionsParts
  readonly #ended = new Listeners<Session>()
  /** Hashes of those that this run has opened. */
  readonly #opened = new Set<string>()
  #sessions: readonly Session[]
  #kept: Promise<void> = Promise.resolve()

  constructor(parts: SessionsParts) {
    this.#parts = parts
    this.#sessions = goodSessions(parts.kept, parts.token, parts.nowMs())
  }

  /**
   * Opens one. The secret is told this once; of it only the hash is kept. undefined: with no good token nobody can be
   * signed in.
   */
  open(): { readonly secret: string; readonly session: Session } | undefined {
    const { token, nowMs } = this.#parts
    if (token === null) return undefined
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    const now = nowMs()
    const session = { hash: hashOf(secret), token, opened_at_ms: now, expires_at_ms: now + SESSION_MS }
    this.#opened.add(session.hash)
    this.#change(withSession(goodSessions(this.#sessions, token, now), session))
    return { secret, session }
  }

  /** The session that a secret belongs to, while it is good. */
  find(secret: string): Session | undefined {
    const hash = hashOf(secret)
    return this.#good().find((each) => each.hash === hash)
  }

  /** Whether it has not ended, in whatever way. */
  isGood({ hash }: Session): boolean {
    return this.#good().some((each) => each.hash === hash)
  }

  /** Ends one; its secret is good for nothing from now on. */
  close({ hash }: Session): void {
    this.#change(this.#sessions.filter((each) => each.hash !== hash))
  }

  /** When all that was opened and ended is on the disk, as far as it can be kept. */
  kept(): Promise<void> {
    return this.#kept
  }

  /** Tells of sessions that are ended; of one that expires nobody tells. Returns the way to stop listening. */
  onEnd(listener: (session: Session) => void): () => void {
    return this.#ended.add(listener)
  }

  /** The clock was set: sessions that were opened in this run were opened so much later, and last as long as others. */
  clockSet(byMs: number): void {
    const later = (session: Session): Session =>
      this.#opened.has(session.hash)
        ? {
            ...session,
            opened_at_ms: Math.max(0, session.opened_at_ms + byMs),
            expires_at_ms: session.expires_at_ms + byMs,
          }
        : session
    if (this.#opened.size === 0) return
    this.#sessions = this.#sessions.map(later)
    this.#parts.keep(this.#sessions)
  }

  #good(): readonly Session[] {
    const { token, nowMs } = this.#parts
    return goodSessions(this.#sessions, token, nowMs())
  }

  #change(sessions: readonly Session[]): void {
    const gone = this.#sessions.filter((each) => !sessions.includes(each))
    this.#sessions = sessions
    this.#kept = this.#parts.keep(sessions)
    for (const each of gone) this.#ended.notify(each)
  }
}
