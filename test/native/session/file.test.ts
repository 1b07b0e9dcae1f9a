// The file that sessions are kept in.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { MAX_SESSIONS, type Session } from '../../../machines/http/session.ts'
import { fileSessions } from '../../../native/session/file.ts'
import { temporaryFolder } from '../../support/processes/daemon.ts'

const place = (t: TestContext) => {
  const folder = temporaryFolder()
  t.after(() => rmSync(folder, { recursive: true }))
  const faults: Fault[] = []
  const path = join(folder, 'sessions')
  return { path, faults, open: () => fileSessions(path, (fault) => faults.push(fault)) }
}

const session: Session = { hash: 'a'.repeat(64), token: 'b4d9', opened_at_ms: 1000, expires_at_ms: 2000 }

test('what was kept is there again, and nobody else may read it', async (t) => {
  const { path, faults, open } = place(t)

  assert.deepEqual(open().load(), [])
  await open().save([session])

  assert.deepEqual(open().load(), [session])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(faults, [])
})

for (const [what, spoil, why] of [
  ['is empty', (path: string) => writeFileSync(path, ''), /is not JSON/],
  ['is cut short', (path: string) => writeFileSync(path, JSON.stringify([session]).slice(0, 40)), /is not JSON/],
  ['is a folder', (path: string) => mkdirSync(path), /cannot be read \(EISDIR/],
  ['holds something else', (path: string) => writeFileSync(path, '[{"hash":"x"}]'), /does not fit \(\/0\/hash of it/],
  [
    'holds too many',
    (path: string) => writeFileSync(path, JSON.stringify(Array(MAX_SESSIONS + 1).fill(session))),
    /at most/,
  ],
] as const) {
  test(`a file that ${what} signs everybody out, and is told of`, (t) => {
    const { path, faults, open } = place(t)
    spoil(path)

    assert.deepEqual(open().load(), [])

    assert.equal(faults[0]?.code, 'session.unreadable')
    assert.match(faults[0]?.detail ?? '', why)
    assert.ok(faults[0]?.detail.includes(path))
  })
}

test('what cannot be kept is told of, and keeps nobody out', async (t) => {
  const { path, faults, open } = place(t)
  await open().save([session])
  mkdirSync(`${path}.next`) // where the new file would be written
  writeFileSync(join(`${path}.next`, 'in the way'), '')

  await open().save([])

  assert.equal(faults[0]?.code, 'session.not_kept')
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), [session])
})
