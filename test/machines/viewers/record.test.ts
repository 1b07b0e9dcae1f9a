import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HalfPart, owedBy, RECORD_BYTES, restOf, sentBy, settled } from '../../../machines/viewers/record.ts'

const HEAD = 'Content-Length: 50\r\n\r\n'
const BOUNDARY = new TextEncoder().encode('\r\n--x\r\n')
const [NOTHING, OWED, SENDING] = [0, 1, 2]

const record = (state: number, sentBytes: number): Uint8Array => {
  const bytes = Buffer.alloc(RECORD_BYTES)
  bytes.writeUInt32LE(state, 0)
  bytes.writeUInt32LE(sentBytes, 4)
  bytes.writeBigUInt64LE(7_000_000_000n, 8)
  bytes.writeUInt32LE(50, 16)
  bytes.writeUInt32LE(HEAD.length, 20)
  bytes.write(HEAD, 24)
  return bytes
}

const partOf = (state: number, sentBytes: number): HalfPart => {
  const part = owedBy(record(state, sentBytes))
  assert.ok(part)
  return part
}

test('what was sent and what ends the part are one whole part, wherever it was cut', () => {
  const whole = Buffer.concat([Buffer.from(HEAD), Buffer.alloc(50), BOUNDARY])

  for (let sent = 1; sent <= whole.length; sent += 1) {
    const rest = restOf(partOf(OWED, sent), BOUNDARY)
    assert.deepEqual(Buffer.concat([whole.subarray(0, sent), rest as Uint8Array]), whole)
  }
})

test('nothing is owed of a part that was not begun, and of none', () => {
  assert.equal(owedBy(record(NOTHING, 0)), null)
  assert.equal(restOf(partOf(OWED, 0), BOUNDARY)?.length, 0)
})

test('what a viewer has been sent is known, whether something is owed to him or not', () => {
  for (const state of [NOTHING, OWED, SENDING])
    assert.deepEqual(sentBy(record(state, 10)), { bytes: 7_000_000_000, picture_bytes: 50 })
  assert.deepEqual(sentBy(new Uint8Array(RECORD_BYTES)), { bytes: 0, picture_bytes: null })
})

test('where the engine died while it sent, the kernel knows how much', () => {
  const part = partOf(SENDING, 10)

  assert.equal(restOf(part, BOUNDARY), undefined)
  assert.equal(settled(part, 7_000_000_030).sentBytes, 30)
  assert.equal(settled(partOf(OWED, 10), 7_000_000_030).sentBytes, 10)
})

test('a count that cannot be true is not believed', () => {
  for (const position of [6_999_999_999, 7_000_001_000])
    assert.equal(restOf(settled(partOf(SENDING, 10), position), BOUNDARY), undefined)
})
