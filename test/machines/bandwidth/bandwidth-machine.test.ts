// The sharing of the bandwidth as a machine: it goes on exactly as long as somebody watches over the network.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandwidthMachine } from '../../../machines/bandwidth/bandwidth-machine.ts'
import { walk } from '../../support/walk.ts'

test('on all paths it is shared as long as somebody watches, and no longer', () => {
  const { reached } = walk(bandwidthMachine, {
    check: ({ event, snapshot }) => {
      if (event.type === 'viewers.came') assert.equal(snapshot.value, 'sharing')
      if (event.type === 'viewers.left') assert.equal(snapshot.value, 'unused')
    },
  })

  assert.deepEqual([...reached].sort(), ['sharing', 'unused'])
})
