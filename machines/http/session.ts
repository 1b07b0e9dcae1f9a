// Sessions: browsers that showed the administrator's token once, and are known by a cookie since. The rules, as pure
// functions; no secret is here.
import type { Static } from 'typebox'
import Type from '../schema/type.ts'

/**
 * One browser that is signed in. hash: SHA-256 of its secret, hex; the session's name. token: the fingerprint of the
 * token it was opened with. Times are Unix time.
 */
export const Session = Type.Object(
  {
    hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: '64 digits and letters from a to f, a SHA-256 in hex.',
    }),
    token: Type.String({ minLength: 1, maxLength: 64 }),
    opened_at_ms: Type.Integer({ minimum: 0 }),
    expires_at_ms: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
)
export type Session = Static<typeof Session>

/** 30 days: an event and the way home; people who lost a laptop replace the token at once. */
export const SESSION_MS = 30 * 24 * 3_600_000

/** A team has a dozen browsers; beyond this the oldest sessions end. */
export const MAX_SESSIONS = 32

/** As they are kept across restarts, the oldest first. */
export const StoredSessions = Type.Array(Session, { maxItems: MAX_SESSIONS })

/**
 * The sessions that are still valid. token: the fingerprint of the one that is good now; with another one, or none,
 * every session has ended.
 */
export const goodSessions = (sessions: readonly Session[], token: string | null, nowMs: number): readonly Session[] =>
  sessions.filter((each) => each.token === token && nowMs < each.expires_at_ms)

/** With one more; the oldest go where there are too many. Sessions stand in the order in which they were opened. */
export const withSession = (sessions: readonly Session[], opened: Session): readonly Session[] =>
  [...sessions, opened].slice(-MAX_SESSIONS)
