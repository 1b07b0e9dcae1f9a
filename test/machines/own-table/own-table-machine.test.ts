import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { type OwnTableInput, ownTableMachine } from '../../../machines/own-table/own-table-machine.ts'
import { walk } from '../../support/walk.ts'

const given = { of: 'stream', streamId: 'front' } as const
const shared = { rivals: [{ name: 'vedette@2', address: null }], conflicts: [] }
const contested = { type: 'table.contested', standing: shared } as const

test('an own table is walked over all its paths and published only while the link is up', () => {
  walk(ownTableMachine, {
    input: given,
    samples: [contested, { ...contested, standing: { rivals: [], conflicts: [] } }],
    check: ({ event, snapshot }) => {
      if (snapshot.value === 'waiting') assert.equal(snapshot.context.fault, null)
      if (event.type === 'link.down') assert.equal(snapshot.value, 'waiting')
      if (event.type === 'link.up') assert.equal(snapshot.value, 'publishing')
    },
  })
})

test('another session in the place of a lost one has the table published again', () => {
  const [waiting] = initialTransition(ownTableMachine, given)
  const [publishing] = transition(ownTableMachine, waiting, { type: 'link.up' })

  const [again, actions] = transition(ownTableMachine, publishing, { type: 'link.up' })

  assert.equal(again.value, 'publishing')
  assert.deepEqual(
    actions.map(({ type }) => type),
    ['xstate.stopChild', 'xstate.spawnChild'],
  )
})

test('a table that another device publishes too says so, until that is gone or the link is', () => {
  const [waiting] = initialTransition(ownTableMachine, given)
  const [publishing] = transition(ownTableMachine, waiting, { type: 'link.up' })

  const [told] = transition(ownTableMachine, publishing, contested)
  const [alone] = transition(ownTableMachine, told, { ...contested, standing: { rivals: [], conflicts: [] } })
  const [unlinked] = transition(ownTableMachine, told, { type: 'link.down' })

  const { code, resource, detail = '' } = told.context.fault ?? {}
  assert.deepEqual([code, resource], ['nt4.table_shared', 'streams/front'])
  assert.match(detail, /^\/vedette\/front is published by vedette@2 as well/)
  assert.deepEqual([alone.context.fault, unlinked.context.fault], [null, null])
})

test('of the tables of the device itself each says which one is shared', () => {
  const sharedOf = (input: OwnTableInput) => {
    const [waiting] = initialTransition(ownTableMachine, input)
    const [publishing] = transition(ownTableMachine, waiting, { type: 'link.up' })
    const { resource, detail = '' } = transition(ownTableMachine, publishing, contested)[0].context.fault ?? {}
    return [resource, detail.split(' ')[0]]
  }

  assert.deepEqual(sharedOf({ of: 'localization' }), ['localization', '/vedette/localization'])
  assert.deepEqual(sharedOf({ of: 'imu' }), ['imu', '/vedette/device/imu'])
})
