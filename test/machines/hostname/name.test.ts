// Names that a device can have, and others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalHostname, Hostname, isTaken } from '../../../machines/hostname/name.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'

test('a name has 1 to 63 letters, digits and -, and is no address', () => {
  const good = ['a', 'vedette-7', '7-of-9', 'Front', '0a', 'x'.repeat(63), 'a--b', '1-2-a']
  const bad = ['', '-a', 'a-', '7', '10-20', 'a.b', 'a_b', 'a b', 'ä', 'a\n', 'x'.repeat(64)]

  for (const name of good) assert.deepEqual(schemaErrors(Hostname, name), [], name)
  for (const name of bad) assert.equal(schemaErrors(Hostname, name).length, 1, name)
})

test('capital letters become small ones, and the name that every device has is taken', () => {
  assert.equal(canonicalHostname('Front-Camera'), 'front-camera')
  assert.ok(isTaken(canonicalHostname('LocalHost')))
  assert.ok(!isTaken('localhost-2'))
})
