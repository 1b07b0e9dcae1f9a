// What devices turn out to be when they are greeted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { type Expectation, type GreetingAnswer, judgeGreeting, judgeSilence } from '../../../machines/peers/greeting.ts'
import { DEVICE_ID, helloOf, ORIGIN, OTHER_ID } from '../../support/peers/peers.ts'

const expected: Expectation = { origin: ORIGIN, own: null, known: null }
const answer = (status: number, body: unknown = {}, location?: string): GreetingAnswer => ({
  status,
  location,
  text: typeof body === 'string' ? body : JSON.stringify(body),
})
const hello = (more: object = {}) => answer(200, { ...helloOf(), ...more })
const fault = (code: Fault['code']): Fault => ({ code, detail: 'as the wire says' })

const judged = (came: GreetingAnswer | Fault, more: Partial<Expectation> = {}): string => {
  const found = judgeGreeting({ ...expected, ...more }, came)
  return 'code' in found ? found.code : found.kind
}

/** What came; what it is to a stranger; to one who has met the device before. */
const CASES: readonly (readonly [GreetingAnswer | Fault, string, string])[] = [
  [hello(), 'native', 'native'],
  [hello({ protocol_version: '1.7', more: 'than we know' }), 'native', 'native'],
  [hello({ protocol_version: '2.0' }), 'peer.other_version', 'peer.other_version'],
  [hello({ device_id: OTHER_ID }), 'native', 'peer.other_device'],
  [hello({ device_id: 'me' }), 'legacy', 'peer.not_native'],
  [answer(404), 'legacy', 'peer.not_native'],
  [answer(501), 'legacy', 'peer.not_native'],
  [answer(200, '<!doctype html>'), 'legacy', 'peer.not_native'],
  [answer(401, { code: 'token.invalid' }), 'peer.refuses_us', 'peer.refuses_us'],
  [answer(403, { code: 'token.invalid' }), 'peer.refuses_us', 'peer.refuses_us'],
  [answer(401, 'a password, please'), 'legacy', 'peer.not_native'],
  [answer(400, { code: 'host.unknown' }), 'peer.bad_answer', 'peer.bad_answer'],
  [answer(404, { code: 'route.not_found' }), 'legacy', 'peer.not_native'],
  [answer(429), 'legacy', 'peer.not_native'],
  [answer(503), 'peer.bad_answer', 'peer.bad_answer'],
  [answer(307, '', 'http://10.0.0.9/'), 'peer.redirects', 'peer.redirects'],
  [answer(302, '', '/login'), 'legacy', 'peer.not_native'],
  [answer(302, '', `${ORIGIN}/login`), 'legacy', 'peer.not_native'],
  [answer(302), 'peer.redirects', 'peer.redirects'],
  [fault('peer.too_slow'), 'peer.too_slow', 'peer.too_slow'],
  [fault('peer.bad_answer'), 'legacy', 'peer.bad_answer'],
  [fault('peer.unreachable'), 'peer.unreachable', 'peer.unreachable'],
  [fault('peer.wrong_certificate'), 'peer.wrong_certificate', 'peer.wrong_certificate'],
]

test('what a device is follows from its answer, and from what was known of it', () => {
  for (const [came, stranger, met] of CASES) {
    const shown = JSON.stringify(came)
    assert.equal(judged(came), stranger, shown)
    assert.equal(judged(came, { known: DEVICE_ID }), met, shown)
  }
})

test('this device itself is known by its id', () => {
  assert.equal(judged(hello(), { own: DEVICE_ID }), 'peer.self')
  assert.equal(judged(hello(), { own: OTHER_ID }), 'native')
})

test('two devices do what both know, and of the minor versions the lower counts', () => {
  const found = judgeGreeting(expected, hello({ protocol_version: '1.7' }))

  assert.ok(!('code' in found) && found.kind === 'native')
  assert.equal(found.agreement.protocol_version, '1.0')
  assert.ok(!(found.agreement.capabilities as string[]).includes('of_a_newer_version'))
})

/** What came of the second greeting, and of the first page; what the device is. */
const SILENT: readonly (readonly [GreetingAnswer | Fault, GreetingAnswer | Fault, string])[] = [
  [fault('peer.too_slow'), fault('peer.too_slow'), 'peer.too_slow'],
  [fault('peer.too_slow'), fault('peer.unreachable'), 'peer.too_slow'],
  [fault('peer.too_slow'), answer(200, '<!doctype html>'), 'legacy'],
  [fault('peer.too_slow'), answer(404), 'legacy'],
  [fault('peer.too_slow'), fault('peer.bad_answer'), 'legacy'],
  [fault('peer.unreachable'), answer(200, '<!doctype html>'), 'peer.unreachable'],
  [hello(), answer(200, '<!doctype html>'), 'native'],
]

test('one that keeps silent is of another kind only when it answers something else', () => {
  for (const [again, other, kind] of SILENT) {
    const found = judgeSilence(expected, again, other)
    assert.equal('code' in found ? found.code : found.kind, kind, JSON.stringify([again, other]))
  }
})
