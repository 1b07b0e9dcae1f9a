// Looking at addresses because somebody wants it, as a machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { baseUrlOf } from '../../../machines/discovery/base-url.ts'
import { MAX_TARGETS, peerScanMachine, type ScanTarget } from '../../../machines/discovery/peer-scan-machine.ts'
import { repliesIn, walk } from '../../support/walk.ts'

const targets = (count: number, from = 0): readonly ScanTarget[] =>
  Array.from({ length: count }, (_, n) => ({ at: baseUrlOf('10.0.0.1', 1 + from + n), mayLeave: false }))
const discover = (wanted: readonly ScanTarget[]) => ({ type: 'peers.discover', ask: 7, targets: wanted }) as const
const ended = { type: 'xstate.done.actor.lookAtAll', output: [] }

test('whoever asks is answered at once, and never are more addresses waiting than there is room for', () => {
  walk(peerScanMachine, {
    samples: [
      discover([]),
      discover(targets(1)),
      discover(targets(40, 1)),
      discover(targets(MAX_TARGETS + 1)),
      ended,
      { type: 'xstate.error.actor.lookAtAll', error: { code: 'service.busy', detail: 'x' } },
    ],
    sameAs: ({ context }) => [context.targets.length, context.waiting.length],
    check: ({ event, snapshot: { context }, actions }) => {
      assert.ok(context.targets.length + context.waiting.length <= MAX_TARGETS)
      assert.equal(repliesIn(actions).length, event.type === 'peers.discover' ? 1 : 0)
    },
  })
})

test('addresses that come during a look are looked at after it, each once', () => {
  let [snapshot] = initialTransition(peerScanMachine)
  for (const event of [discover(targets(1)), discover(targets(2, 1)), discover(targets(2, 1))])
    [snapshot] = transition(peerScanMachine, snapshot, event)
  assert.deepEqual([snapshot.context.targets.length, snapshot.context.waiting.length], [1, 2])

  ;[snapshot] = transition(peerScanMachine, snapshot, ended as never)

  assert.equal(snapshot.value, 'scanning')
  assert.deepEqual([snapshot.context.targets.length, snapshot.context.waiting.length], [2, 0])
})
