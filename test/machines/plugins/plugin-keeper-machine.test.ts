// The keeper of plugins as a machine: every order is answered once and in turn, whatever the disk and the programs do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnyMachineSnapshot } from 'xstate'
import { pluginKeeperMachine } from '../../../machines/plugins/plugin-keeper-machine.ts'
import { MAX_ORDERS } from '../../../machines/supervision/order-queue.ts'
import { repliesIn, walk } from '../../support/walk.ts'

const full = { code: 'storage.full', detail: 'no room' } as const
const failed = { code: 'plugin.failed', detail: 'it ended' } as const

interface Context {
  readonly waiting: readonly { readonly type: string; readonly ask?: number }[]
  readonly failure: object | null
  readonly fault: object | null
  readonly unpacked: object | null
  readonly isRemoval: boolean
}

const contextOf = (snapshot: AnyMachineSnapshot | undefined) => snapshot?.context as Context | undefined

const asked = (snapshot: AnyMachineSnapshot | undefined): readonly (number | undefined)[] =>
  (contextOf(snapshot)?.waiting ?? []).flatMap(({ ask }) => (ask === undefined ? [] : [ask]))

const written = (next: string) => ({ type: 'xstate.done.actor.write', output: { name: 'a', stored: undefined, next } })

test('on all paths each order is answered once and in turn, and a removal is not forgotten half done', () => {
  const walked = walk(pluginKeeperMachine, {
    samples: [
      { type: 'plugin.install', ask: 1, upload: 'a-1.0.0', enable: true },
      { type: 'plugin.remove', ask: 2, name: 'a' },
      { type: 'plugin.give_up', name: 'a', fault: failed },
      { type: 'xstate.done.actor.restore', output: ['a'] },
      { type: 'xstate.done.actor.restore', output: [] },
      { type: 'xstate.error.actor.restore', error: full },
      { type: 'xstate.done.actor.unpack', output: { manifest: { name: 'a' }, release: '1.0.0-0123456789ab' } },
      ...['up', 'gone', 'removed', 'done'].map(written),
      ...['unpack', 'write', 'awaitUp', 'awaitGone', 'conclude', 'sweep', 'forget'].map((each) => ({
        type: `xstate.error.actor.${each}`,
        error: each === 'awaitUp' ? failed : full,
      })),
    ],
    sameAs: (snapshot) => {
      const { waiting, failure, fault, unpacked, isRemoval } = snapshot.context as Context
      const [first, second] = waiting.map(({ type }) => type)
      const unasked = waiting.filter(({ ask }) => ask === undefined).length
      const length = waiting.length > 3 && asked(snapshot).length < MAX_ORDERS ? 3 : waiting.length
      return [length, first, second, unasked, failure, fault === null, unpacked === null, isRemoval]
    },
    check: ({ before, event, snapshot, actions }) => {
      const replies = repliesIn(actions)
      const isOrder = 'ask' in event
      const [first] = asked(before)
      const isRefused = isOrder && replies.some(({ outcome }) => outcome === 'refused')

      assert.equal(asked(before).length + (isOrder ? 1 : 0), asked(snapshot).length + replies.length)
      assert.equal(isRefused, isOrder && asked(before).length >= MAX_ORDERS && !before?.matches('unreadable'))
      if (!isOrder && replies[0] && !before?.matches('restoring')) assert.equal(replies[0].ask, first)
      if (event.type === 'xstate.error.actor.restore')
        for (const { outcome } of replies) assert.equal(outcome, 'failed')
      for (const [state, after] of [
        ['forgetting', 'sweeping'],
        ['concluding', 'starting'],
      ] as const)
        if (snapshot.matches({ ready: state }) && !before?.matches({ ready: state }))
          assert.ok(before?.matches({ ready: after }), `${state} comes after ${after}`)
      assert.equal(snapshot.status, 'active')
    },
  })

  assert.ok(walked.reached.has('ready.forgetting'))
})
