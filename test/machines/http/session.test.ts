// When a session counts, and when it ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goodSessions, MAX_SESSIONS, SESSION_MS, type Session, withSession } from '../../../machines/http/session.ts'

const session = (n: number, more: Partial<Session> = {}): Session => ({
  hash: String(n).padStart(64, '0'),
  token: 'first',
  opened_at_ms: 1000 + n,
  expires_at_ms: 1000 + n + SESSION_MS,
  ...more,
})

test('a session counts until it expires', () => {
  const one = session(0)

  assert.deepEqual(goodSessions([one], 'first', one.expires_at_ms - 1), [one])
  assert.deepEqual(goodSessions([one], 'first', one.expires_at_ms), [])
})

test('another token ends every session, and so does none', () => {
  assert.deepEqual(goodSessions([session(0), session(1)], 'second', 2000), [])
  assert.deepEqual(goodSessions([session(0)], null, 2000), [])
  assert.deepEqual(goodSessions([session(0), session(1, { token: 'second' })], 'second', 2000).length, 1)
})

test('a clock that was set back ends nothing', () => {
  assert.equal(goodSessions([session(0)], 'first', 0).length, 1)
})

test('of too many sessions the oldest end', () => {
  let sessions: readonly Session[] = []
  for (let n = 0; n < MAX_SESSIONS + 2; n++) sessions = withSession(sessions, session(n))

  assert.equal(sessions.length, MAX_SESSIONS)
  assert.equal(sessions[0]?.opened_at_ms, 1002)
  assert.equal(sessions.at(-1)?.opened_at_ms, 1001 + MAX_SESSIONS)
})
