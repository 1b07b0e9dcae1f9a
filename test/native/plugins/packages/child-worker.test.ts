// Packages are looked through one after the other, whatever becomes of the one before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { childWorker } from '../../../../native/plugins/packages/child-worker.ts'

test('a child that cannot be started is a fault of its package, and the next package has its turn', async () => {
  const broken: Fault = { code: 'plugin.refused', detail: 'it is no zip' }
  let calls = 0
  const worker = childWorker(1000, async () => {
    calls += 1
    if (calls === 1) throw new Error('spawn ENOMEM')
    return broken
  })

  const found = await Promise.all([worker.inspect('/a'), worker.unpack('/b', '/c')])

  assert.deepEqual(found, [
    { code: 'device.failed', detail: 'the package cannot be looked through here: spawn ENOMEM' },
    broken,
  ])
})
