// A browser signs in to a locked device once; power cuts do not sign it out, a new token does.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import type { Session } from '../../machines/http/session.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { tokenOf } from '../support/processes/told-token.ts'
import { arrival } from '../support/until.ts'

const signIn = async ({ url }: Daemon, token: string): Promise<string> => {
  const answer = await fetch(`${url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  assert.equal(answer.status, 204, await answer.text())
  return answer.headers.get('set-cookie')?.split(';')[0] as string
}

const healthStatus = async ({ url }: Daemon, cookie: string): Promise<number> =>
  (await fetch(`${url}/v1/health`, { headers: { cookie } })).status

test('a sign-in survives a killed service, and ends with the token that it was made with', async (t) => {
  const { dataDir, start } = site(t)
  const locked = { profile: 'locked' }
  const first = await start(locked)
  const cookie = await signIn(first, tokenOf(first))
  assert.equal(await healthStatus(first, cookie), 200)
  await first.end('SIGKILL')

  const second = await start(locked)
  assert.equal(await healthStatus(second, cookie), 200)
  assert.equal(await healthStatus(second, ''), 401)
  await second.end('SIGTERM')

  rmSync(join(dataDir, 'administrator-token'))
  const third = await start(locked)
  assert.equal(await healthStatus(third, cookie), 401)
  assert.equal(await healthStatus(third, await signIn(third, tokenOf(third))), 200)
})

test('what was opened with a session ends with it, though nobody asks for anything any more', async (t) => {
  const { dataDir, start } = site(t)
  const locked = { profile: 'locked' }
  const first = await start(locked)
  const cookie = await signIn(first, tokenOf(first))
  await first.end('SIGTERM')
  const file = join(dataDir, 'sessions')
  const endsMs = Date.now() + 12_000 // long enough for another start on a busy machine
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Session[]
  writeFileSync(file, JSON.stringify(kept.map((each) => ({ ...each, expires_at_ms: endsMs }))))

  const second = await start(locked)
  const headers = { cookie, origin: second.url }
  const feed = new WebSocket(`${second.url.replace('http', 'ws')}/v1/events`, { headers })
  await once(feed, 'open')
  await arrival('the end of the feed', once(feed, 'close'))

  const lateMs = Date.now() - endsMs
  assert.ok(lateMs >= 0, `it ended ${-lateMs} ms before its session`)
  assert.equal(await healthStatus(second, cookie), 401)
  t.diagnostic(`the feed ended ${lateMs} ms after its session`)
})
