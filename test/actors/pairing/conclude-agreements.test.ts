// What was confirmed here before one of the two devices went: what the other says of it decides.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import { concludeAgreements } from '../../../actors/pairing/conclude-agreements.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { type Agreement, agreementCollection } from '../../../machines/pairing/agreement.ts'
import { FOLLOW_PATH } from '../../../machines/pairing/messages.ts'
import type { PeerRegistration } from '../../../machines/peers/peer.ts'
import { createSettingsStore, type SettingsStore } from '../../../machines/settings/store.ts'
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

interface Changes {
  readonly isRunning?: boolean
  /** Called each time before the other one answers. */
  readonly asked?: (settings: SettingsStore) => void
}

/** A device with that agreement. answer: of the other one; null: it does not answer. */
const agreed = (t: TestContext, answer: PeerAnswer | Fault | null, { isRunning = false, ...changes }: Changes = {}) => {
  const documents = { [agreementCollection.name]: { [ID]: { revision: 1, value: agreement } } }
  const settings = createSettingsStore({ documents, revisions: {}, bases: {} })
  const wire = new FakePeerWire()
  const asked: unknown[] = []
  if (answer)
    wire.add(ORIGIN).answer = ({ path, body }) => {
      asked.push([path, body])
      changes.asked?.(settings)
      return answer
    }
  const [orders, dropped, registered]: [unknown[], string[], PeerRegistration[]] = [[], [], []]
  const recorded: Fault[] = []
  const bugs: unknown[] = []
  let rounds = 0
  const fibre = Effect.runFork(
    concludeAgreements({
      wire,
      isRunning: () => {
        rounds += 1
        return isRunning
      },
      everyMs: 1,
      clock: { nowMs: () => 7, monotonicUs: () => 7_000 },
      settings,
      write: (order) => Effect.sync(() => void orders.push(order)),
      register: async (wanted) => {
        registered.push(wanted)
        return { id: 'rear', revision: 1 }
      },
      agreements: { keep: () => Effect.void, drop: (id) => Effect.sync(() => void dropped.push(id)) },
      record: (fault) => recorded.push(fault),
      onBug: (bug) => bugs.push(bug),
    }),
  )
  t.after(() => Effect.runPromise(Fiber.interrupt(fibre)))
  return { settings, asked, orders, dropped, registered, recorded, bugs, rounds: () => rounds }
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

test('the end of a run forgets nothing of another one that the two have begun meanwhile', async (t) => {
  const collection = { collection: agreementCollection.name, collectionRevision: 2, collectionBase: 0 }
  let runs = 0
  const begin = (settings: SettingsStore) => {
    runs += 1
    const value = { ...agreement, pairing_id: String(runs) }
    settings.trigger.committed({ ...collection, id: ID, revision: 1 + runs, value })
  }
  const { dropped } = agreed(t, jsonAnswer(200, { state: 'failed' }), { asked: begin })

  await until('some rounds', () => runs > 4)

  assert.deepEqual(dropped, [])
})

test('that another device answers in its place is told once, and that the pairing waits', async (t) => {
  const wrong = { code: 'peer.wrong_certificate', detail: 'another one' } as const
  const { dropped, recorded, rounds } = agreed(t, wrong)

  await until('some rounds', () => rounds() > 4)

  assert.deepEqual(dropped, [])
  assert.deepEqual(
    recorded.map(({ code, resource }) => [code, resource]),
    [['pairing.wrong_certificate', 'pairing']],
  )
  assert.match(recorded[0]?.detail ?? '', /waits for the device at https:/)
})

test('what was told of a pairing is forgotten with it', async (t) => {
  const { settings, recorded } = agreed(t, { code: 'peer.wrong_certificate', detail: 'another one' })
  const commit = (id: string, revision: number, value: Agreement | undefined) =>
    settings.trigger.committed({
      collection: agreementCollection.name,
      collectionRevision: revision,
      collectionBase: 0,
      id,
      revision,
      value,
    })
  await until('the first', () => recorded.length === 1)

  commit(ID, 2, undefined)
  commit('certificate-another', 3, { ...agreement, pairing_id: 'another' })
  await until('a round without it', () => recorded.length === 2)
  commit(ID, 4, agreement)

  await until('the first again', () => recorded.length === 3)
})

test('a bug with one pairing is recorded, and it is asked again', async (t) => {
  const { bugs, asked } = agreed(t, jsonAnswer(200, { state: 'confirmed' }), {
    asked: () => {
      throw new Error('a bug')
    },
  })

  await until('more rounds', () => asked.length > 2)

  assert.match(String(bugs[0]), /a bug/)
})

test('a run that pairing itself follows is left to it', async (t) => {
  const { asked, rounds } = agreed(t, jsonAnswer(200, { state: 'done' }), { isRunning: true })

  await until('some rounds', () => rounds() > 4)

  assert.deepEqual(asked, [])
})
