// What a device runs, and how it was switched off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginRun, endRun, type RunRecord, readRunRecord, valuesOfRelease } from '../../../machines/system/release.ts'

test('a release file is read as a shell reads it, and lines that are none are left out', () => {
  const text = `PRETTY_NAME="Name with \\"quotes\\""\n# remark\nID=debian\nVARIANT_ID='one two'\nnonsense\n=x\nEMPTY=\n`

  const values = valuesOfRelease(text)

  assert.deepEqual(Object.fromEntries(values), {
    PRETTY_NAME: 'Name with "quotes"',
    ID: 'debian',
    VARIANT_ID: 'one two',
  })
})

test('a device that goes off while the service runs is counted, and one that ends it first is not', () => {
  const first = beginRun(null, 'a')
  const orderly = beginRun(endRun(first), 'b')
  const cut = beginRun(orderly, 'c')

  assert.deepEqual([first.starts, first.unsafe_shutdowns, first.last_was_unsafe], [1, 0, null])
  assert.deepEqual([orderly.starts, orderly.unsafe_shutdowns, orderly.last_was_unsafe], [2, 0, false])
  assert.deepEqual([cut.starts, cut.unsafe_shutdowns, cut.last_was_unsafe], [3, 1, true])
})

test('a service that was killed and started again on a device that stayed on counts nothing', () => {
  const killed = beginRun(null, 'a')

  assert.deepEqual(beginRun(killed, 'a'), killed)
  assert.deepEqual(beginRun(killed, null), killed, 'nor where the device does not tell its starts apart')
})

test('a record that is none is known as such', () => {
  const record: RunRecord = beginRun(null, 'a')

  assert.deepEqual(readRunRecord(JSON.parse(JSON.stringify(record))), record)
  for (const none of [null, 1, {}, { ...record, starts: -1 }, { ...record, is_running: 'yes' }])
    assert.equal(readRunRecord(none), null)
})
