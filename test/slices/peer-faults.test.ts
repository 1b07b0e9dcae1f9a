// Two real services, and what befalls them: one is killed with orders under way, falls asleep, has its clock set, or
// becomes another device.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { StreamCommandAnswer } from '../../machines/interdevice/command.ts'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { fileIdentity } from '../../native/identity/file.ts'
import { eventsOf } from '../support/peers/heard-events.ts'
import { identityOf } from '../support/peers/identity.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { arrival, until } from '../support/until.ts'

const JUMPING = fileURLToPath(new URL('../support/processes/jumping-daemon.ts', import.meta.url))
const SOURCE = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
const PEER = '/v1/peers/back'
const HALF_A_DAY_MS = 43_200_000
const UNDER_WAY = 20 // orders at a time

const becomes = (here: Daemon, wanted: string) =>
  until(
    `a link that is ${wanted}`,
    () => here.get<PeerRecord>(PEER),
    ({ status }) => status === wanted,
  )

/** A device with a camera, and one that has a link to it. */
const twoDevices = async (t: TestContext, main?: string) => {
  const [back, front] = [site(t, main), site(t, main)]
  const [source, here] = await Promise.all([back.start(), front.start()])
  await source.addStream({ id: 'front', source: SOURCE })
  await here.send('POST', '/v1/peers', { base_url: source.url, name: 'back' })
  await becomes(here, 'linked')
  return { source, here, startAgain: () => back.start({ http: new URL(source.url).host }) }
}

/** Has the camera said to sit elsewhere. Each place is another one. */
const move = (here: Daemon, n: number) =>
  here.send<StreamCommandAnswer>('POST', `${PEER}/streams/front/commands`, {
    request_id: `move-${n}`,
    command: 'set_pose',
    payload: { x_m: (n + 1) / 1000, y_m: 0, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 },
  })

const revisionAt = async (source: Daemon): Promise<number> =>
  (await source.get<{ revision: number }>('/v1/streams/front')).revision

test('a device that is killed with orders under way has done each once, when all are repeated', async (t) => {
  const { source, here, startAgain } = await twoDevices(t)
  const events = await eventsOf(t, here)
  const answered = new Map<number, StreamCommandAnswer>()
  const begun = Promise.withResolvers<void>()
  let ordered = 0
  const orderOn = async () => {
    for (;;) {
      const n = ordered++
      const { status, body } = await move(here, n)
      if (status !== 200) return
      answered.set(n, body)
      if (answered.size > 2) begun.resolve()
    }
  }
  const all = Array.from({ length: UNDER_WAY }, orderOn)

  await arrival('the first answers', begun.promise)
  await source.end('SIGKILL')
  await Promise.all(all)
  const orders = ordered
  const again = await startAgain()
  await becomes(here, 'linked')
  const repeated = []
  for (let n = 0; n < orders; n += 1) repeated.push(await move(here, n))

  t.diagnostic(`${answered.size} of ${orders} orders were answered before the end`)
  assert.deepEqual(
    repeated.map(({ status }) => status),
    repeated.map(() => 200),
  )
  for (const [n, body] of answered) assert.deepEqual(repeated[n]?.body, body)
  assert.equal(new Set(repeated.map(({ body }) => body.new_revision)).size, orders)
  assert.equal(await revisionAt(again), 1 + orders)
  const known = () => here.get<PeerRecord>(PEER)
  await until('the newest revision here', known, ({ streams }) => streams[0]?.revision === 1 + orders)
  const told = events.filter(({ kind, resource_ref }) => kind === 'stream_changed' && 'peer_id' in resource_ref)
  const revisions = told.map(({ revision }) => revision as number)
  assert.ok(revisions.length > 0)
  assert.ok(
    revisions.every((revision, n) => n === 0 || revision > (revisions[n - 1] as number)),
    `told in this order: ${revisions.join(' ')}`,
  )
})

test('of a device that sleeps it is said how old all is; what it was told it does once, when it wakes', async (t) => {
  const { source, here } = await twoDevices(t)
  await here.send('GET', PEER)

  process.kill(source.pid, 'SIGSTOP')
  const asked = move(here, 0)
  const stale = await becomes(here, 'stale')
  const seenMs = Date.now()
  const { status, body } = await asked
  process.kill(source.pid, 'SIGCONT')
  await becomes(here, 'linked')
  const again = await move(here, 0)

  assert.ok(stale.stale && stale.streams.every(({ origin }) => origin.stale))
  assert.ok(seenMs - (stale.health.last_seen_ms ?? 0) > 10_000, 'it was not heard for 15 s')
  assert.deepEqual([status, (body as unknown as { code: string }).code], [504, 'peer.too_slow'])
  assert.deepEqual([again.status, again.body.new_revision, await revisionAt(source)], [200, 2, 2])
})

test('clocks that are set cost neither link nor order, and ages go by the clock of their device', async (t) => {
  const { source, here } = await twoDevices(t, JUMPING)
  const events = await eventsOf(t, here)
  const first = await move(here, 0)

  process.kill(here.pid, 'SIGUSR2')
  process.kill(source.pid, 'SIGPWR')
  const repeated = await move(here, 0)
  const next = await move(here, 1)
  const known = () => here.get<PeerRecord>(PEER)
  const record = await until('the new place here', known, ({ streams }) => streams[0]?.revision === 3)

  assert.deepEqual(repeated, first)
  assert.deepEqual([next.status, next.body.new_revision], [200, 3])
  const now = Date.now()
  assert.ok(next.body.applied_at_ms < now - HALF_A_DAY_MS, 'by the clock of the one that was set back')
  assert.ok((record.synced_at_ms ?? 0) > now + HALF_A_DAY_MS, 'by the clock of the one that was set forward')
  assert.ok((record.health.last_seen_ms ?? 0) > now + HALF_A_DAY_MS)
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'peer_health'),
    [],
    'the link was not lost',
  )
})

test('a device with another certificate is another device, on either side, until people accept it', async (t) => {
  const [back, front] = [site(t), site(t)]
  const tls = `127.0.0.1:${await freePort()}`
  const startSource = async () => {
    const daemon = await back.start({ tls })
    const health = () => daemon.get<{ parts: readonly { name: string; state: string }[] }>('/v1/health')
    await until('HTTPS', health, ({ parts }) =>
      parts.some(({ name, state }) => name === 'https' && state === 'listening'),
    )
    return daemon
  }
  const fingerprintOf = ({ dataDir }: typeof back) =>
    identityOf(fileIdentity(join(dataDir, 'identity.pem'), () => assert.fail('it is whole'))).fingerprint
  const trustFront = async () => {
    const { status } = await source.send('POST', '/v1/peers/trust', {
      name: 'Front',
      fingerprint: fingerprintOf(front),
    })
    assert.equal(status, 201)
  }
  const register = (daemon: Daemon) =>
    daemon.send('POST', '/v1/peers', { base_url: `https://${tls}`, name: 'back', fingerprint: fingerprintOf(back) })
  const forgetWhoItIs = ({ dataDir }: typeof back) => rmSync(join(dataDir, 'identity.pem'))
  const source = await startSource()
  await source.addStream({ id: 'front', source: SOURCE })
  const here = await front.start()

  assert.equal((await register(here)).status, 201)
  assert.equal((await becomes(here, 'refused')).fault?.code, 'peer.refuses_us')
  await trustFront()
  await becomes(here, 'linked')
  await here.end('SIGKILL')
  forgetWhoItIs(front)
  const anew = await front.start()
  assert.equal((await becomes(anew, 'refused')).fault?.code, 'peer.refuses_us')
  await trustFront()
  await becomes(anew, 'linked')
  await source.end('SIGKILL')
  forgetWhoItIs(back)
  const stranger = await startSource()
  const refused = await becomes(anew, 'refused')
  const order = await move(anew, 0)

  assert.deepEqual([refused.fault?.code, refused.stale, refused.streams.length], ['peer.wrong_certificate', true, 1])
  assert.deepEqual([order.status, (order.body as unknown as { code: string }).code], [502, 'peer.wrong_certificate'])
  assert.equal(await revisionAt(stranger), 1)
  await anew.send('DELETE', PEER)
  assert.equal((await register(anew)).status, 201)
  await becomes(anew, 'linked')
})
