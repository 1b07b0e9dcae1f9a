// How the device does as a machine: samples are taken while somebody needs them, and what is wrong is kept either way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemMachine } from '../../../machines/system/system-machine.ts'
import { walk } from '../../support/walk.ts'

const fault = { code: 'system.under_voltage', detail: 'the supply is too weak' } as const

test('on all paths it samples exactly while it is needed, and knows what is wrong', () => {
  const walked = walk(systemMachine, {
    samples: [
      { type: 'condition.seen', fault },
      { type: 'condition.seen', fault: null },
    ],
    check: ({ event, snapshot }) => {
      assert.equal(snapshot.status, 'active')
      if (event.type === 'condition.seen') assert.equal(snapshot.context.fault, event.fault)
      if (event.type === 'metrics.needed') assert.equal(snapshot.value, 'sampling')
      if (event.type === 'metrics.unneeded') assert.equal(snapshot.value, 'quiet')
    },
  })

  assert.deepEqual([...walked.reached].sort(), ['quiet', 'sampling'])
})
