import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { extcamMachine } from '../../../machines/extcam/extcam-machine.ts'
import { walk } from '../../support/walk.ts'

const given = { streamId: 'front', claim: { table: 'limelight' } }
const refused = { streamId: 'rear', claim: { parked: 'the table limelight belongs to the stream front' } }

const conflict = { topic: '/limelight/tv', type: 'string' }
const contested = { type: 'table.contested', standing: { rivals: [], conflicts: [conflict] } } as const

test('an adapter with a table is walked over all its paths and publishes only while the link is up', () => {
  walk(extcamMachine, {
    input: given,
    unreached: ['parked'],
    samples: [contested, { ...contested, standing: { rivals: [], conflicts: [] } }],
    check: ({ event, snapshot }) => {
      if (event.type === 'link.down') assert.notEqual(snapshot.value, 'publishing')
      assert.equal(snapshot.context.table, 'limelight')
    },
  })
})

test('an adapter without a table never publishes and says why', () => {
  const [parked, actions] = initialTransition(extcamMachine, refused)

  const [linked] = transition(extcamMachine, parked, { type: 'link.up' })

  assert.equal(linked.value, 'parked')
  assert.equal(linked.context.fault?.code, 'extcam.table_taken')
  assert.ok(actions.some(({ type }) => type === 'record'))
})

test('another session publishes the table again, and writes of the robot are read from it', () => {
  const [waiting] = initialTransition(extcamMachine, given)
  const [publishing] = transition(extcamMachine, waiting, { type: 'link.up' })

  const [again, actions] = transition(extcamMachine, publishing, { type: 'link.up' })

  assert.equal(again.value, 'publishing')
  assert.deepEqual(
    actions.map(({ type }) => type),
    ['xstate.stopChild', 'xstate.stopChild', 'xstate.spawnChild', 'xstate.spawnChild'],
  )
})

test('a table that is in the way of another says so, until that is gone or the link is', () => {
  const [waiting] = initialTransition(extcamMachine, given)
  const [publishing] = transition(extcamMachine, waiting, { type: 'link.up' })

  const [told, actions] = transition(extcamMachine, publishing, contested)
  const [alone] = transition(extcamMachine, told, { ...contested, standing: { rivals: [], conflicts: [] } })
  const [unlinked] = transition(extcamMachine, told, { type: 'link.down' })

  const { code, resource, detail = '' } = told.context.fault ?? {}
  assert.deepEqual([code, resource], ['nt4.type_conflict', 'streams/front'])
  assert.match(detail, /^somebody else publishes \/limelight\/tv as string/)
  assert.ok(actions.some(({ type }) => type === 'record'))
  assert.deepEqual([alone.context.fault, unlinked.context.fault], [null, null])
})
