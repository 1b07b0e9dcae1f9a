import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isExpired, keyTimeMs, type UpdateKey, unitedKeys } from '../../../machines/update/keys.ts'

const key = (id: string, not_after_ms: number | null = null): UpdateKey => ({ id, public_key: '', not_after_ms })

test('of a key that stands in several files the first one counts', () => {
  const keys = unitedKeys({ keys: [key('a', 5)] }, { keys: [key('b'), key('a')] })

  assert.deepEqual(new Set(keys), new Set([key('a', 5), key('b')]))
})

test('a device whose clock is behind judges keys by when its release was built', () => {
  assert.equal(isExpired(key('a', 100), keyTimeMs(0, 101)), true)
  assert.equal(isExpired(key('a', 100), keyTimeMs(101, 0)), true)
  assert.equal(isExpired(key('a', 100), keyTimeMs(100, 0)), false)
  assert.equal(isExpired(key('a'), keyTimeMs(1e15, 0)), false)
})
