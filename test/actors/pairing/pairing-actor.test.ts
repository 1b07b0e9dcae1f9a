// Pairing with its effects: two devices that speak to each other without a network, and what is stored in which order.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { askNow } from '../../../actors/ask.ts'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { pairingActor } from '../../../actors/pairing/pairing-actor.ts'
import type { RegisterPeer } from '../../../actors/peers/register-peer.ts'
import { endEffects } from '../../../actors/run.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { FOLLOW_PATH, PAIRING_PATH, REVEAL_PATH, WITHDRAW_PATH } from '../../../machines/pairing/messages.ts'
import { type PairingRun, pairingState } from '../../../machines/pairing/pairing-machine.ts'
import type { PeerRegistration } from '../../../machines/peers/peer.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import type { Command } from '../../../machines/supervision/actors.ts'
import type { TrustEntry } from '../../../machines/trust/trust-entry.ts'
import { idOfCertificate } from '../../../machines/trust/trust-id.ts'
import { fakeIdentity } from '../../../native/identity/fake.ts'
import { sha256Codes } from '../../../native/pairing/sha256.ts'
import { FAKE_FINGERPRINT, FakePeerWire, jsonAnswer } from '../../../native/peers/fake.ts'
import { simulatedClock, untilState } from '../../support/clock/clock.ts'
import { DEVICE_ID, ORIGIN } from '../../support/peers/peers.ts'
import { until } from '../../support/until.ts'

const NOW_MS = 1_767_225_600_000
const ENTRY_ID = idOfCertificate(FAKE_FINGERPRINT)
const UNREACHABLE: Fault = { code: 'peer.unreachable', detail: 'nothing answers' }

interface Changes {
  readonly register?: RegisterPeer
  readonly write?: (order: Command<'settings'>) => Effect.Effect<void, Fault>
  readonly known?: TrustEntry
}

/** A device, and the fake one that it calls, which has promised to keep to what it says. */
const caller = (t: TestContext, { register, write = () => Effect.void, known }: Changes = {}) => {
  const wire = new FakePeerWire()
  const other = wire.add(ORIGIN)
  const [own, nonce] = [fakeIdentity(), sha256Codes.nonce()]
  const said: unknown[] = []
  let state = 'comparing'
  other.answer = ({ path, body }, { fingerprint }) => {
    said.push([path, fingerprint, body])
    if (path === PAIRING_PATH)
      return jsonAnswer(200, { pairing_id: '3c'.repeat(16), device_id: DEVICE_ID, name: 'Back', nonce })
    if (path === REVEAL_PATH) return jsonAnswer(200, { state: 'comparing' })
    return state === 'gone' ? jsonAnswer(409, { code: 'pairing.no_run' }) : jsonAnswer(200, { state })
  }
  const documents = known ? { trust: { [ENTRY_ID]: { revision: 1, value: known } } } : {}
  const orders: Command<'settings'>[] = []
  const registered: { readonly wanted: PeerRegistration; readonly after: number }[] = []
  const noted: RegisterPeer = async (wanted) => {
    registered.push({ wanted, after: orders.length })
    return { id: 'back', revision: 1 }
  }
  const recorded: Fault[] = []
  const clock = simulatedClock()
  const actor = createActor(
    pairingActor({
      wire,
      own: () => own,
      codes: sha256Codes,
      name: () => 'Front',
      register: register ?? noted,
      followEveryMs: 1,
      clock: { nowMs: () => NOW_MS, monotonicUs: () => 7_000 },
      settings: createSettingsStore({ documents, revisions: {}, bases: {} }),
      write: (order) => Effect.tap(write(order), () => Effect.sync(() => orders.push(order))),
      agreements: { keep: () => Effect.void, drop: () => Effect.void },
      events: createEventBus({ epoch: 'here', nowMs: () => NOW_MS }),
      record: (fault) => recorded.push(fault),
    }),
    { clock },
  ).start()
  t.after(async () => {
    await Effect.runPromise(endEffects(actor))
    actor.stop()
  })
  const is = (wanted: string) =>
    untilState(actor, ({ value }) => pairingState(value) === wanted, `pairing that is ${wanted}`)
  const begin = async (name: string | null = null) => {
    await askNow(actor, { type: 'pairing.begin', callee: { base_url: ORIGIN, name } })
    return (await is('comparing')).context
  }
  const confirm = (code: string | null) => askNow(actor, { type: 'pairing.confirm', code: String(code) })
  const says = (now: string) => {
    state = now
  }
  return { actor, wire, own, nonce, said, orders, registered, recorded, clock, is, begin, confirm, says }
}

test('the code is of both certificates and both nonces, and what was promised before is shown after', async (t) => {
  const { own, nonce, said, begin } = caller(t)

  const { code, run } = await begin()

  const [call, reveal] = said as [path: string, pin: string, body: Record<string, string>][]
  const callerNonce = String(reveal?.[2].nonce)
  const certificates = { caller: own.fingerprint, called: FAKE_FINGERPRINT }
  assert.deepEqual([call?.[0], reveal?.[0]], [PAIRING_PATH, REVEAL_PATH])
  assert.deepEqual(
    [call?.[1], reveal?.[1]],
    [FAKE_FINGERPRINT, FAKE_FINGERPRINT],
    'from the first word on to one certificate',
  )
  assert.ok(sha256Codes.isKept(String(call?.[2].commitment), { ...certificates, callerNonce }))
  assert.equal(code, sha256Codes.code({ ...certificates, callerNonce, calledNonce: nonce }))
  assert.deepEqual(run?.other, { fingerprint: FAKE_FINGERPRINT, device_id: DEVICE_ID, name: 'Back' })
})

test('the code never leaves: the other device hears only that it was confirmed', async (t) => {
  const { said, begin, confirm, is, says } = caller(t)
  const { code } = await begin()
  await confirm(code)
  says('done')
  await is('done')

  const followed = (said as [string, string, { confirmed?: boolean }][]).filter(([path]) => path === FOLLOW_PATH)
  assert.equal(followed.at(-1)?.[2].confirmed, true)
  assert.ok(!JSON.stringify(said).includes(String(code)))
})

test('nothing is stored before both have confirmed; then the entry first, and the peer after it', async (t) => {
  const { orders, registered, begin, confirm, is, says, actor } = caller(t)
  const { code } = await begin('Rear')
  says('confirmed')
  await confirm(code)
  assert.deepEqual([...orders, ...registered], [])

  says('done')
  await is('done')

  const [entry] = orders as unknown as { collection: string; id: string; value: Record<string, unknown> }[]
  assert.deepEqual([orders.length, entry?.collection, entry?.id], [1, 'trust', ENTRY_ID])
  assert.deepEqual(entry?.value, {
    name: 'Rear',
    fingerprint: FAKE_FINGERPRINT,
    token_hash: null,
    device_id: DEVICE_ID,
    expires_at_ms: null,
    created_at_ms: NOW_MS,
    pairing_id: '3c'.repeat(16),
  })
  const wanted = { base_url: ORIGIN, fingerprint: FAKE_FINGERPRINT, integration: 'native', name: 'Rear' }
  assert.deepEqual(registered, [{ wanted, after: 1 }])
  assert.deepEqual(actor.getSnapshot().context.paired, { trust_id: ENTRY_ID, peer_id: 'back' })
})

test('who is trusted already keeps the name that people gave it, and is trusted without an end', async (t) => {
  const known: TrustEntry = {
    name: 'On the arm',
    fingerprint: FAKE_FINGERPRINT,
    token_hash: null,
    device_id: null,
    expires_at_ms: NOW_MS - 1,
    created_at_ms: 5,
  }
  const { orders, begin, confirm, is, says } = caller(t, { known })
  const { code } = await begin()
  await confirm(code)
  says('done')
  await is('done')

  const { value } = orders[0] as unknown as { value: TrustEntry }
  assert.deepEqual(value, { ...known, device_id: DEVICE_ID, expires_at_ms: null, pairing_id: '3c'.repeat(16) })
})

test('what fails while it is stored says what was stored before', async (t) => {
  const full: Fault = { code: 'storage.full', detail: 'there is no room left' }
  const cases: readonly [Changes, stored: number, code: string, words: RegExp][] = [
    [{ write: () => Effect.fail(full) }, 0, 'storage.full', /^there is no room left$/],
    [
      { register: async () => UNREACHABLE },
      1,
      'peer.unreachable',
      /trust each other .* Register it with its fingerprint/,
    ],
  ]
  for (const [changes, stored, code, words] of cases) {
    const { orders, begin, confirm, is, says, actor } = caller(t, changes)
    const begun = await begin()
    await confirm(begun.code)
    says('done')
    await is('failed')

    const { reason } = actor.getSnapshot().context
    assert.deepEqual([orders.length, reason?.code], [stored, code])
    assert.match(reason?.detail ?? '', words)
  }
})

test('a run that is not known there any more has ended; a device that does not answer is waited for', async (t) => {
  const { wire, begin, is, says, actor, clock } = caller(t)
  await begin()
  says('gone')
  await is('failed')
  assert.equal(actor.getSnapshot().context.reason?.code, 'pairing.ended_there')

  says('comparing')
  await begin()
  wire.devices.delete(ORIGIN)
  clock.increment(10_000)
  assert.equal(actor.getSnapshot().context.reason?.code, 'pairing.lost')
})

test('the device that is called gives the code only for the nonce that was promised', async (t) => {
  const { actor, own, recorded, is } = caller(t)
  const callerNonce = sha256Codes.nonce()
  const certificates = { caller: FAKE_FINGERPRINT, called: own.fingerprint }
  const run: PairingRun = {
    pairing_id: '3c'.repeat(16),
    nonce: sha256Codes.nonce(),
    other: { fingerprint: FAKE_FINGERPRINT, device_id: DEVICE_ID, name: 'Front' },
    commitment: sha256Codes.commitment({ ...certificates, callerNonce }),
  }
  const reveal = async (nonce: string) => {
    await askNow(actor, { type: 'pairing.open', atMs: 0 })
    await askNow(actor, { type: 'other.calls', run })
    return askNow(actor, {
      type: 'other.reveals',
      pairing_id: run.pairing_id,
      fingerprint: FAKE_FINGERPRINT,
      nonce,
      atMs: 0,
    })
  }

  const broken = await reveal(sha256Codes.nonce())
  assert.equal(broken.outcome === 'refused' && broken.fault.code, 'pairing.disturbed')
  assert.deepEqual(
    recorded.map(({ code, resource }) => [code, resource]),
    [['pairing.disturbed', 'pairing']],
  )
  assert.equal((await reveal(callerNonce)).outcome, 'done')
  const { context } = await is('comparing')
  assert.equal(context.code, sha256Codes.code({ ...certificates, callerNonce, calledNonce: run.nonce }))
})

test('a caller that closes or gets a wrong code ends the run there, unless the other side has ended it', async (t) => {
  const { actor, said, begin, confirm, is, says } = caller(t)
  const lastWords = () =>
    (said as [path: string, pin: string, body: { ended?: boolean }][]).filter(([, , { ended }]) => ended).length
  const heard = () => until('the last word', lastWords)

  await begin()
  await askNow(actor, { type: 'pairing.close' })
  assert.equal(await heard(), 1)
  const { code } = await begin()
  await confirm(code === '000000' ? '000001' : '000000')
  await is('failed')
  await until('another one', () => lastWords() === 2)
  await begin()
  says('gone')
  await is('failed')

  assert.equal(lastWords(), 2)
})

test('who begins another says at the one before that it is over, also where the other is not there', async (t) => {
  const { actor, said, begin, is } = caller(t)
  const lastWords = () => (said as [string, string, { ended?: boolean }][]).filter(([, , { ended }]) => ended)
  const others = [
    [{ type: 'pairing.begin', callee: { base_url: 'https://10.12.34.99:5801', name: null } }, 'failed'],
    [{ type: 'pairing.open', atMs: 0 }, 'open'],
  ] as const

  for (const [other, becomes] of others) {
    await begin()
    const before = lastWords().length
    await askNow(actor, other)
    await is(becomes)
    await until('the last word', () => lastWords().length > before)
  }

  for (const [path, pin] of lastWords()) assert.deepEqual([path, pin], [FOLLOW_PATH, FAKE_FINGERPRINT])
})

test('a caller that gives up during its call names the run by its commitment, since it has no id yet', async (t) => {
  const { wire, actor, said, is } = caller(t)
  const device = wire.devices.get(ORIGIN)
  assert.ok(device)
  const { answer } = device
  device.answer = (request, target) => {
    const answered = answer(request, target)
    return request.path === PAIRING_PATH ? null : answered // it has heard, and its answer is on the way
  }
  const others = [
    [{ type: 'pairing.close' }, 'closed'],
    [{ type: 'pairing.open', atMs: 0 }, 'open'],
  ] as const

  for (const [other, becomes] of others) {
    const before = said.length
    await askNow(actor, { type: 'pairing.begin', callee: { base_url: ORIGIN, name: null } })
    await until('the call', () => said.length > before)
    await askNow(actor, other)
    await is(becomes)
    await until('the last word', () => said.length > before + 1)

    const [call, word] = said.slice(before) as [path: string, pin: string, body: Record<string, string>][]
    assert.deepEqual(word, [WITHDRAW_PATH, FAKE_FINGERPRINT, { commitment: call?.[2].commitment }])
  }
})

test('a call that fails after it was heard is given up there too; one that was refused there is not', async (t) => {
  const { wire, actor, said, is } = caller(t)
  const device = wire.devices.get(ORIGIN)
  assert.ok(device)
  const { answer } = device
  const begin = () => askNow(actor, { type: 'pairing.begin', callee: { base_url: ORIGIN, name: null } })
  const paths = () => (said as [string][]).splice(0).map(([path]) => path)

  device.answer = (request, target) => {
    answer(request, target)
    return jsonAnswer(409, { code: 'pairing.not_open' })
  }
  await begin()
  await is('failed')
  assert.deepEqual(paths(), [PAIRING_PATH])
  device.answer = (request, target) => (request.path === REVEAL_PATH ? UNREACHABLE : answer(request, target))
  await begin()
  await is('failed')
  await until('the last word', () => said.length > 1)
  assert.deepEqual(paths(), [PAIRING_PATH, WITHDRAW_PATH])
})

test('another certificate within a run ends it at once, in any state, and is in the error history', async (t) => {
  for (const from of [PAIRING_PATH, REVEAL_PATH, FOLLOW_PATH]) {
    const { wire, actor, said, recorded, is } = caller(t)
    const device = wire.devices.get(ORIGIN)
    assert.ok(device)
    const { answer } = device
    let isAnother = false
    device.answer = (request, target) => {
      isAnother ||= request.path === from
      return isAnother ? { code: 'peer.wrong_certificate', detail: 'another one' } : answer(request, target)
    }

    await askNow(actor, { type: 'pairing.begin', callee: { base_url: ORIGIN, name: null } })
    await is('failed')

    assert.equal(actor.getSnapshot().context.reason?.code, 'pairing.wrong_certificate', from)
    assert.deepEqual(
      recorded.map(({ code, resource }) => [code, resource]),
      [['pairing.wrong_certificate', 'pairing']],
    )
    assert.ok(!(said as [string][]).some(([path]) => path === WITHDRAW_PATH), 'there is nobody to be told')
  }
})
