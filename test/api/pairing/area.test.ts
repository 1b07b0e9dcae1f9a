// Pairing as administrators order and see it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Profile } from '../../../machines/http/access.ts'
import type { Pairing } from '../../../machines/pairing/pairing.ts'
import { FAKE_CODE } from '../../../native/pairing/fake.ts'
import { FakePeerWire } from '../../../native/peers/fake.ts'
import { PEER_WIRE } from '../../../native/peers/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'
import { nativeDevice, ORIGIN, obedient } from '../../support/peers/peers.ts'
import { until } from '../../support/until.ts'

const PAIRING = '/v1/peers/pairing'

const device = async (t: TestContext, profile: Profile = 'bench') => {
  const wire = new FakePeerWire()
  const other = nativeDevice(wire)
  obedient(other.device)
  const { app, fake } = await fakeApi(t, { profile }, { ports: [value(PEER_WIRE, wire)] })
  const told: unknown[] = []
  t.after(
    fake.directory.events.subscribe((event) => {
      if (event.kind === 'pairing_changed') told.push(event)
    }),
  )
  const send = async (method: 'GET' | 'POST' | 'DELETE', url = PAIRING, payload?: object) => {
    const response = await app.inject({ method, url, headers: { host: 'localhost' }, ...(payload && { payload }) })
    const { statusCode: status, body, headers } = response
    return { status, body, contentType: String(headers['content-type'] ?? '') }
  }
  const pairing = async (): Promise<Pairing> => JSON.parse((await send('GET')).body)
  const state = (wanted: string) => until(wanted, pairing, (each) => each.state === wanted)
  return { fake, wire, other, send, pairing, state, told }
}

test('a device that is called shows its code, and its event says that there is one, but not which', async (t) => {
  const { send, state, told } = await device(t)
  const begun = await send('POST', PAIRING, { base_url: `${ORIGIN}/v1`, name: 'Rear' })

  const { code, other, base_url, remaining_ms, fault } = await state('comparing')

  assert.equal(begun.status, 200)
  assert.deepEqual([code, other?.name, base_url, fault], ['271 828', 'Back', ORIGIN, null])
  assert.ok(remaining_ms !== null && remaining_ms > 100_000 && remaining_ms <= 120_000)
  assert.deepEqual(
    (told as { data: object }[]).map(({ data }) => data),
    [{ state: 'calling' }, { state: 'comparing' }],
  )
  assert.ok(!JSON.stringify(told).includes(FAKE_CODE))
})

test('a code is confirmed with or without its blank; a wrong one ends the run and says what it may mean', async (t) => {
  for (const code of ['271 828', FAKE_CODE]) {
    const { send, state } = await device(t)
    await send('POST', PAIRING, { base_url: ORIGIN })
    await state('comparing')
    assert.equal(JSON.parse((await send('POST', `${PAIRING}/confirm`, { code })).body).state, 'confirmed')
  }
  const { send, state, pairing } = await device(t)
  await send('POST', PAIRING, { base_url: ORIGIN })
  await state('comparing')

  const wrong = assertProblem(await send('POST', `${PAIRING}/confirm`, { code: '314 159' }), 'pairing.wrong_code')

  assert.match(wrong.detail, /somebody may stand between/)
  const { state: after, code, fault } = await pairing()
  assert.deepEqual([after, code, fault?.code], ['failed', null, 'pairing.wrong_code'])
  assertProblem(await send('POST', `${PAIRING}/confirm`, { code: FAKE_CODE }), 'pairing.no_code')
})

test('what cannot be begun is refused with the way out', async (t) => {
  const { send, pairing } = await device(t)

  assert.match(assertProblem(await send('POST', PAIRING, {}), 'pairing.no_tls').detail, /--tls/)
  for (const [order, pointer] of [
    [{ base_url: 'http://10.12.34.11:5800' }, '/base_url'],
    [{ base_url: `${ORIGIN}/there` }, '/base_url'],
    [{ base_url: 'nonsense' }, '/base_url'],
    [{ name: 'Back' }, '/name'],
  ] as const) {
    const { errors } = assertProblem(await send('POST', PAIRING, order), 'body.invalid')
    assert.equal(errors?.[0]?.pointer, pointer)
  }
  assert.equal((await pairing()).state, 'closed')
})

test('a device that cannot be paired says why', async (t) => {
  const { send, state, other } = await device(t)
  for (const [answer, words] of [
    [{ status: 409, body: { code: 'pairing.not_open' } }, /Open pairing on that device first/],
    [{ status: 404, body: { code: 'route.not_found' } }, /older version/],
    [{ status: 409, body: { code: 'pairing.disturbed' } }, /stands between/],
    [{ status: 200, body: { pairing_id: 7 } }, /makes no sense/],
    [{ status: 500, body: null }, /does not take part \(500\)/],
  ] as const) {
    const body = Buffer.from(JSON.stringify(answer.body))
    other.device.answer = () => ({ status: answer.status, headers: {}, body })

    await send('POST', PAIRING, { base_url: ORIGIN })

    assert.match((await state('failed')).fault?.detail ?? '', words)
  }
})

test('pairing is for administrators', async (t) => {
  for (const profile of ['field', 'locked'] as const) {
    const { send } = await device(t, profile)

    for (const answer of [
      await send('GET'),
      await send('POST', PAIRING, { base_url: ORIGIN }),
      await send('POST', `${PAIRING}/confirm`, { code: FAKE_CODE }),
      await send('DELETE'),
    ])
      assertProblem(answer, 'token.required')
  }
})
