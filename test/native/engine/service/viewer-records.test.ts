// The records in which an engine writes down what its viewers are owed.
import assert from 'node:assert/strict'
import { fstatSync } from 'node:fs'
import { test } from 'node:test'
import { RECORD_BYTES } from '../../../../machines/viewers/record.ts'
import { PLACES, ViewerRecords } from '../../../../native/engine/service/viewer-records.ts'

const BLOCK_BYTES = 512 // in which stat counts

test('its room is taken when it is made, so that no file system that fills up later kills who writes to it', (t) => {
  const records = new ViewerRecords()
  t.after(() => records.close())

  const { size, blocks } = fstatSync(records.fd)

  assert.equal(size, PLACES * RECORD_BYTES)
  assert.ok(blocks * BLOCK_BYTES >= size, `${blocks} blocks`)
})
