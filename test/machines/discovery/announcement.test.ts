// What devices announce, and what is made of what others announce.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announcementOf, readReceived } from '../../../machines/discovery/announcement.ts'

const device_id = '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10'
const fingerprint = '5f3a9c0b7d1e2f4a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2'

test('a device is announced under a name that no other one has, with where and who it is', () => {
  const served = { hosts: ['0.0.0.0'], port: 5800, tlsPort: 5801 }

  assert.deepEqual(announcementOf({ device_id, fingerprint }, 'front', served), {
    name: 'front-0d0c2a5e',
    port: 5800,
    txt: { id: device_id, v: '1.0', tls: '5801', fp: '5f3a9c0b7d1e2f4a' },
  })
  assert.deepEqual(announcementOf({ device_id, fingerprint }, 'front', { ...served, tlsPort: null }).txt, {
    id: device_id,
    v: '1.0',
  })
  const long = announcementOf({ device_id, fingerprint: null }, `${'x'.repeat(80)}.local`, served)
  assert.equal(long.name, `${'x'.repeat(54)}-0d0c2a5e`)
})

test('what a device announces is read, over TLS where it has that', () => {
  const txt = { id: device_id, v: '1.0', tls: '5801', fp: '5f3a9c0b7d1e2f4a' }
  const received = { name: 'front-0d0c2a5e', address: '10.12.34.12', port: 5800, txt }

  assert.deepEqual(readReceived(received), {
    device_id,
    base_url: 'https://10.12.34.12:5801',
    name: 'front-0d0c2a5e',
    protocol_version: '1.0',
    fingerprint_hint: '5f3a9c0b7d1e2f4a',
  })
  const plain = readReceived({ ...received, txt: { id: device_id, tls: '70000', fp: 'no', v: 'x'.repeat(300) } })
  assert.deepEqual(plain, {
    device_id,
    base_url: 'http://10.12.34.12:5800',
    name: 'front-0d0c2a5e',
    protocol_version: null,
    fingerprint_hint: null,
  })
})

test('what makes no sense, or would lead out of private networks, is nobody', () => {
  const good = { name: 'x', address: '10.12.34.12', port: 5800, txt: { id: device_id } }
  const wrong: readonly object[] = [
    { address: '8.8.8.8' },
    { address: undefined },
    { port: 0 },
    { port: 70_000 },
    { port: '5800' },
    { txt: undefined },
    { txt: {} },
    { txt: { id: 'front' } },
    { txt: { id: Buffer.from(device_id) } },
    { txt: Object.create({ id: device_id }) },
  ]

  assert.ok(readReceived(good))
  for (const change of wrong) assert.equal(readReceived({ ...good, ...change }), undefined, JSON.stringify(change))
  assert.equal(readReceived({ ...good, name: 'x'.repeat(300) })?.name.length, 63)
  assert.equal(readReceived({ ...good, name: undefined })?.name, '')
})
