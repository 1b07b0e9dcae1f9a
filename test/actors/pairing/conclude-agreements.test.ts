// What was confirmed here before one of the two devices went: what the other says of it decides.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import { concludeAgreements } from '../../../actors/pairing/conclude-agreements.ts'
import { type Agreement, agreementCollection } from '../../../machines/pairing/agreement.ts'
import { FOLLOW_PATH } from '../../../machines/pairing/messages.ts'
import type { PeerRegistration } from '../../../machines/peers/peer.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import { idOfCertificate } from '../../../machines/trust/trust-id.ts'
import { FAKE_FINGERPRINT, FakePeerWire, jsonAnswer } from '../../../native/peers/fake.ts'
import type { PeerAnswer } from '../../../native/peers/port.ts'
import { DEVICE_ID, ORIGIN } from '../../support/peers/peers.ts'
import { until } from '../../support/until.ts'

const ID = idOfCertificate(FAKE_FINGERPRINT)
const PAIRING_ID = '3c'.repeat(16)
const agreement: Agreement = {
  pairing_id: PAIRING_ID,
  base_url: ORIGIN,
  name: 'Rear',
  other: { fingerprint: FAKE_FINGERPRINT, device_id: DEVICE_ID, name: 'Back' },
}

/** A device with that agreement. answer: of the other one; null: it does not answer. */
const agreed = (t: TestContext, answer: PeerAnswer | null, isRunning = false) => {
  const wire = new FakePeerWire()
  const asked: unknown[] = []
  if (answer)
    wire.add(ORIGIN).answer = ({ path, body }) => {
      asked.push([path, body])
      return answer
    }
  const [orders, dropped, registered]: [unknown[], string[], PeerRegistration[]] = [[], [], []]
  let rounds = 0
  const documents = { [agreementCollection.name]: { [ID]: { revision: 1, value: agreement } } }
  const fibre = Effect.runFork(
    concludeAgreements({
      wire,
      isRunning: () => {
        rounds += 1
        return isRunning
      },
      everyMs: 1,
      clock: { nowMs: () => 7, monotonicUs: () => 7_000 },
      settings: createSettingsStore({ documents, revisions: {}, bases: {} }),
      write: (order) => Effect.sync(() => void orders.push(order)),
      register: async (wanted) => {
        registered.push(wanted)
        return { id: 'rear', revision: 1 }
      },
      agreements: { keep: () => Effect.void, drop: (id) => Effect.sync(() => void dropped.push(id)) },
      record: () => {},
    }),
  )
  t.after(() => Effect.runPromise(Fiber.interrupt(fibre)))
  return { asked, orders, dropped, registered, rounds: () => rounds }
}

test('when the other has entered this device, this one enters the other, and forgets what was agreed', async (t) => {
  const { asked, orders, dropped, registered } = agreed(t, jsonAnswer(200, { state: 'done' }))

  await until('the end', () => dropped.length > 0)

  const [order] = orders as { collection: string; id: string; value: { name: string; pairing_id: string } }[]
  assert.deepEqual(asked[0], [FOLLOW_PATH, { pairing_id: PAIRING_ID, confirmed: true }])
  assert.deepEqual([order?.collection, order?.id, order?.value.name], ['trust', ID, 'Rear'])
  assert.equal(registered[0]?.fingerprint, FAKE_FINGERPRINT)
  assert.equal(dropped[0], ID)
})

for (const [what, answer] of [
  ['knows of no such run', jsonAnswer(409, { code: 'pairing.no_run' })],
  ['says that nothing came of it', jsonAnswer(200, { state: 'failed' })],
] as const)
  test(`when the other ${what}, nobody is entered, and what was agreed is forgotten`, async (t) => {
    const { orders, dropped, registered } = agreed(t, answer)

    await until('the end', () => dropped.length > 0)

    assert.deepEqual([orders, registered, dropped[0]], [[], [], ID])
  })

for (const [what, answer] of [
  ['does not answer', null],
  ['is still being paired', jsonAnswer(200, { state: 'confirmed' })],
  ['has other troubles', jsonAnswer(503, { code: 'actor.unavailable' })],
] as const)
  test(`as long as the other ${what}, it is asked again`, async (t) => {
    const { orders, dropped, rounds } = agreed(t, answer)

    await until('some rounds', () => rounds() > 4)

    assert.deepEqual([orders, dropped], [[], []])
  })

test('a run that pairing itself follows is left to it', async (t) => {
  const { asked, rounds } = agreed(t, jsonAnswer(200, { state: 'done' }), true)

  await until('some rounds', () => rounds() > 4)

  assert.deepEqual(asked, [])
})
