// Entries of the trust list, as they may be stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { misfits } from '../../../machines/settings/collection.ts'
import { isExpired, type TrustEntry, trustCollection } from '../../../machines/trust/trust-entry.ts'
import { idOfCertificate, idOfToken } from '../../../machines/trust/trust-id.ts'

const fingerprint = '5e'.repeat(32)
const entry: TrustEntry = {
  name: 'Back camera',
  fingerprint,
  token_hash: null,
  device_id: null,
  expires_at_ms: null,
  created_at_ms: 1,
}
const pointersOf = (id: string, value: TrustEntry) => misfits(trustCollection, id, value).map(({ pointer }) => pointer)

test('an entry goes by a certificate or by a token, and by one of them alone', () => {
  const token = { ...entry, fingerprint: null, token_hash: fingerprint }

  assert.deepEqual(pointersOf(idOfCertificate(fingerprint), entry), [])
  assert.deepEqual(pointersOf(idOfToken('0123456789abcdef'), token), [])
  assert.deepEqual(pointersOf('token-0123456789abcdef', { ...token, fingerprint }), [''])
  assert.deepEqual(pointersOf('token-0123456789abcdef', { ...token, token_hash: null }), [''])
  assert.deepEqual(pointersOf('back-camera', entry), ['/id'])
})

test('trust ends at its end, and without one never', () => {
  assert.ok(!isExpired({ expires_at_ms: 1_000 }, 999))
  assert.ok(isExpired({ expires_at_ms: 1_000 }, 1_000))
  assert.ok(!isExpired({ expires_at_ms: null }, Number.MAX_SAFE_INTEGER))
})
