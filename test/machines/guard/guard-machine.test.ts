// The resource guard as a machine: it looks exactly while a stream runs and it is switched on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardMachine } from '../../../machines/guard/guard-machine.ts'
import { repliesIn, walk } from '../../support/walk.ts'

test('on all paths it looks only while it is on and a stream runs, and each restore is answered', () => {
  const { reached } = walk(guardMachine, {
    samples: [
      { type: 'settings.changed', isEnabled: true },
      { type: 'settings.changed', isEnabled: false },
      { type: 'streams.changed', isAnyRunning: true },
      { type: 'streams.changed', isAnyRunning: false },
      { type: 'guard.restore', ask: 7, stream_id: 'front' },
    ],
    check: ({ before, event, snapshot, actions }) => {
      if (event.type === 'settings.changed' && !event.isEnabled) assert.equal(snapshot.value, 'off')
      if (snapshot.matches({ on: 'awake' })) assert.equal(snapshot.context.isAnyRunning, true)
      if (snapshot.matches({ on: 'asleep' })) assert.equal(snapshot.context.isAnyRunning, false)
      if (event.type !== 'guard.restore') return
      assert.deepEqual(repliesIn(actions), [{ type: 'reply', ask: 7, outcome: 'done' }])
      const isGuarding = before?.matches({ on: 'awake' }) === true
      assert.equal(
        actions.some(({ type }) => type === 'restoreStream'),
        isGuarding,
      )
    },
  })

  assert.deepEqual([...reached].sort(), [
    'off',
    'on',
    'on.asleep',
    'on.awake',
    'on.awake.blind',
    'on.awake.limiting',
    'on.awake.watching',
  ])
})
