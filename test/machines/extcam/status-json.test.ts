// The vendor's status document.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Snapshot } from '../../../machines/extcam/snapshot.ts'
import { statusDocument } from '../../../machines/extcam/status-json.ts'

const statusWith = (hardware: Snapshot['hardware'], fps = 30, table = 'limelight') => {
  const snapshot = new Snapshot()
  snapshot.hardware = hardware
  return statusDocument(snapshot, { table, fps })
}

test('figures are numbers, in tenths, whatever is not known', () => {
  const { temp, cpu, ram, fps } = statusWith({ temp: 48.2499, cpu: Number.NaN }, Number.POSITIVE_INFINITY)

  assert.deepEqual({ temp, cpu, ram, fps }, { temp: 48.2, cpu: 0, ram: 0, fps: 0 })
  assert.deepEqual(statusWith(undefined).temp, 0)
  assert.equal(statusWith({}, 29.97).fps, 30)
})

test('the name is what the table has after the common beginning', () => {
  const names = ['limelight', 'limelight-rear', 'limelights', 'back'].map(
    (table) => statusWith(undefined, 30, table).name,
  )

  assert.deepEqual(names, ['', 'rear', 'limelights', 'back'])
})
