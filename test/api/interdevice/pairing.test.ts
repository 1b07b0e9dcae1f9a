// Devices that would like to be paired: what they are answered, and that who guesses learns nothing.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { askNow } from '../../../actors/ask.ts'
import { listen } from '../../../api/server/server.ts'
import { errorsOf } from '../../../machines/errors/history.ts'
import { PEER_SERVER_NAME } from '../../../machines/interdevice/server-name.ts'
import {
  FOLLOW_PATH,
  PAIRING_PATH,
  type PairingCalled,
  REVEAL_PATH,
  WITHDRAW_PATH,
} from '../../../machines/pairing/messages.ts'
import { pairingState } from '../../../machines/pairing/pairing-machine.ts'
import { documentsOf } from '../../../machines/settings/store.ts'
import type { Command } from '../../../machines/supervision/actors.ts'
import { trustCollection } from '../../../machines/trust/trust-entry.ts'
import { fakeIdentity } from '../../../native/identity/fake.ts'
import type { DeviceIdentity } from '../../../native/identity/port.ts'
import { FAKE_CODE, type FakePairingCodes } from '../../../native/pairing/fake.ts'
import { PAIRING_CODES } from '../../../native/pairing/port.ts'
import { allEndpoints, assertDeclared, assertProblem } from '../../support/api/api.ts'
import { ownIdentity } from '../../support/peers/identity.ts'
import { peerApi } from '../../support/peers/peer-api.ts'
import { arrival, until } from '../../support/until.ts'

const CALL = {
  version: 1,
  device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10',
  name: 'Front',
  commitment: 'c0'.repeat(32),
}
const NONCE = '5a'.repeat(32)

/** A device that is served over TLS. ask: as another device. order: as its administrator. */
const device = async (t: TestContext) => {
  const { app, fake, send } = await peerApi(t, 'locked', fakeIdentity())
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
  const actor = fake.directory.actor('pairing')
  assert.ok(actor)
  return {
    fake,
    send,
    codes: fake.resolve(PAIRING_CODES) as FakePairingCodes,
    order: (command: Command<'pairing'>) => askNow(actor, command),
    now: () => ({ state: pairingState(actor.getSnapshot().value), context: actor.getSnapshot().context }),
    ask: async (path: string, body: object, who?: DeviceIdentity) => {
      const sent = httpsRequest({
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent: false,
        rejectUnauthorized: false,
        servername: PEER_SERVER_NAME,
        headers: { 'content-type': 'application/json' },
        ...(who && { key: who.key, cert: who.cert }),
      })
      sent.end(JSON.stringify(body))
      const [answer] = (await arrival('an answer', once(sent, 'response'))) as [IncomingMessage]
      const answered = {
        status: answer.statusCode ?? 0,
        contentType: String(answer.headers['content-type']),
        body: await text(answer),
        retryAfter: answer.headers['retry-after'],
      }
      const row = allEndpoints().find((each) => each.path === path)
      assert.ok(row)
      assertDeclared(row, answered)
      return answered
    },
  }
}

test('a device that was let in shows what it promised, and hears how far this one is', async (t) => {
  const { ask, order, now, fake } = await device(t)
  const caller = fakeIdentity()
  await order({ type: 'pairing.open', atMs: 0 })
  const told: unknown[] = []
  t.after(fake.directory.events.subscribe(({ kind, data }) => kind === 'pairing_changed' && told.push(data)))

  const called = await ask(PAIRING_PATH, CALL, caller)
  const { pairing_id, device_id, nonce } = JSON.parse(called.body) as PairingCalled
  const revealed = await ask(REVEAL_PATH, { pairing_id, nonce: NONCE }, caller)
  const follow = async (confirmed: boolean) =>
    JSON.parse((await ask(FOLLOW_PATH, { pairing_id, confirmed }, caller)).body).state
  const before = await follow(true)
  await order({ type: 'pairing.confirm', code: FAKE_CODE })
  const after = await until(
    'the end',
    () => follow(true),
    (state) => state === 'done',
  )
  const entered = Object.values(documentsOf(fake.directory.settings, trustCollection)).map(({ value }) => value)

  assert.equal(called.status, 200)
  assert.equal(device_id, ownIdentity(fake).device_id)
  assert.match(nonce, /^[0-9a-f]{64}$/)
  assert.deepEqual([JSON.parse(revealed.body), before], [{ state: 'comparing' }, 'comparing'])
  assert.equal(after, now().state)
  assert.deepEqual(
    told,
    ['waiting', 'comparing', 'confirmed', 'storing', 'done'].map((state) => ({ state })),
  )
  assert.deepEqual(
    entered.map(({ name, fingerprint, token_hash, expires_at_ms }) => [name, fingerprint, token_hash, expires_at_ms]),
    [['Front', caller.fingerprint, null, null]],
  )
})

test('who shows no certificate, or that of this device, is not listened to', async (t) => {
  const { ask, send, order, now, fake } = await device(t)
  await order({ type: 'pairing.open', atMs: 0 })

  assertProblem(await ask(PAIRING_PATH, CALL), 'pairing.no_certificate')
  assertProblem(await send('POST', PAIRING_PATH, { payload: CALL }), 'pairing.no_certificate')
  assertProblem(await ask(PAIRING_PATH, CALL, ownIdentity(fake)), 'peer.self')
  assert.equal(now().state, 'open')
})

test('strangers hear the same whether pairing is closed or another device is in the middle of it', async (t) => {
  const { ask, order, now } = await device(t)
  const [caller, stranger] = [fakeIdentity(), fakeIdentity()]
  const closed = await ask(PAIRING_PATH, CALL, stranger)
  await order({ type: 'pairing.open', atMs: 0 })
  const { pairing_id } = JSON.parse((await ask(PAIRING_PATH, CALL, caller)).body) as PairingCalled

  const busy = await ask(PAIRING_PATH, CALL, stranger)
  const stolen = await ask(REVEAL_PATH, { pairing_id, nonce: NONCE }, stranger)
  const guessed = await ask(REVEAL_PATH, { pairing_id: '00'.repeat(16), nonce: NONCE }, caller)
  const asked = await ask(FOLLOW_PATH, { pairing_id, confirmed: true }, stranger)

  const said = [closed, busy].map((each) => assertProblem(each, 'pairing.not_open').detail)
  assert.equal(said[0], said[1])
  const guesses = [stolen, guessed, asked].map((each) => assertProblem(each, 'pairing.no_run').detail)
  assert.equal(new Set(guesses).size, 1)
  assert.equal(now().state, 'waiting')
})

test('a promise that was broken is told, recorded, and the device waits on', async (t) => {
  const { ask, order, now, codes, fake } = await device(t)
  const caller = fakeIdentity()
  codes.keepsPromises = false
  await order({ type: 'pairing.open', atMs: 0 })
  const { pairing_id } = JSON.parse((await ask(PAIRING_PATH, CALL, caller)).body) as PairingCalled

  assertProblem(await ask(REVEAL_PATH, { pairing_id, nonce: NONCE }, caller), 'pairing.disturbed')
  assertProblem(await ask(REVEAL_PATH, { pairing_id, nonce: NONCE }, caller), 'pairing.no_run')

  assert.equal(now().state, 'open')
  assert.deepEqual(
    errorsOf(fake.directory.errors).map(({ code, resource }) => [code, resource]),
    [['pairing.disturbed', 'pairing']],
  )
})

test('who was refused ten times within a minute is not listened to any more', async (t) => {
  const { ask, order, now } = await device(t)
  const stranger = fakeIdentity()
  const call = () => ask(PAIRING_PATH, CALL, stranger)
  for (let n = 0; n < 11; n += 1) assertProblem(await call(), 'pairing.not_open')

  await order({ type: 'pairing.open', atMs: 0 })
  const refused = await call()

  assertProblem(refused, 'pairing.too_many_tries')
  assert.equal(refused.retryAfter, '60')
  assert.equal(now().state, 'open')
})

test('what does not fit is refused before anybody looks at it', async (t) => {
  const { ask, order, now } = await device(t)
  const caller = fakeIdentity()
  await order({ type: 'pairing.open', atMs: 0 })

  for (const flaw of [
    ...[{ version: 2 }, { name: '' }, { name: 'x\u202ey' }, { name: 'x'.repeat(61) }, { commitment: 'c0' }],
    ...[{ device_id: 'me' }, { more: 1 }],
  ])
    assertProblem(await ask(PAIRING_PATH, { ...CALL, ...flaw }, caller), 'body.invalid')
  assert.equal(now().state, 'open')
})

test('a call taken back by its caller is over at once; another device is refused and recorded', async (t) => {
  const { ask, order, now, fake } = await device(t)
  const [caller, stranger] = [fakeIdentity(), fakeIdentity()]
  await order({ type: 'pairing.open', atMs: 0 })
  const { commitment } = CALL
  await ask(PAIRING_PATH, CALL, caller)

  assertProblem(await ask(WITHDRAW_PATH, { commitment }, stranger), 'pairing.no_run')
  assertProblem(await ask(WITHDRAW_PATH, { commitment: '00'.repeat(32) }, caller), 'pairing.no_run')
  assert.equal(now().state, 'waiting')
  const { status, body } = await ask(WITHDRAW_PATH, { commitment }, caller)

  assert.deepEqual([status, JSON.parse(body), now().state], [200, { state: 'failed' }, 'open'])
  assert.deepEqual(
    errorsOf(fake.directory.errors).map(({ code, resource }) => [code, resource]),
    [['pairing.wrong_certificate', 'pairing']],
  )
})
