import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { ownTableMachine } from '../../../machines/own-table/own-table-machine.ts'
import { walk } from '../../support/walk.ts'

test('an own table is walked over all its paths and published only while the link is up', () => {
  walk(ownTableMachine, {
    check: ({ event, snapshot }) => {
      if (event.type === 'link.down') assert.equal(snapshot.value, 'waiting')
      if (event.type === 'link.up') assert.equal(snapshot.value, 'publishing')
    },
  })
})

test('another session in the place of a lost one has the table published again', () => {
  const [waiting] = initialTransition(ownTableMachine)
  const [publishing] = transition(ownTableMachine, waiting, { type: 'link.up' })

  const [again, actions] = transition(ownTableMachine, publishing, { type: 'link.up' })

  assert.equal(again.value, 'publishing')
  assert.deepEqual(
    actions.map(({ type }) => type),
    ['xstate.stopChild', 'xstate.spawnChild'],
  )
})
