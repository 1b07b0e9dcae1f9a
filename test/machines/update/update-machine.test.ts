// The machine of updates: each order is answered once, and no path leaves it stuck.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { KnownSlots } from '../../../machines/update/known-slots.ts'
import { type Restored, type RestoredState, restore } from '../../../machines/update/restore.ts'
import { updateMachine } from '../../../machines/update/update-machine.ts'
import type { UpdateContext } from '../../../machines/update/update-setup.ts'
import { repliesIn, walk } from '../../support/walk.ts'

const fault: Fault = { code: 'device.failed', detail: 'the disk says no' }
const version = (name: string) => ({ name, version: name, built_at_ms: null })
const slots: KnownSlots = {
  running: version('1.0.0'),
  other: null,
  isTrial: false,
  chosen: '1.0.0',
  failed: null,
  floor: '0.9.0',
}
const upload = { id: 'u', bytes: 3, resumable: true, offset: 0 }
const RESTORED: readonly RestoredState[] = [
  ...([
    'idle',
    'receiving',
    'completing',
    'verifying',
    'ready',
    'scheduled',
    'restarting',
    'undoing',
    'trial',
  ] as const),
  ...(['committed', 'rolled-back', 'failed'] as const),
]

const restoredTo = (state: RestoredState): Restored => ({
  ...restore({ record: null, slots, kept: null }),
  state,
  upload,
  record: {
    offered: version('2.0.0'),
    when: state === 'scheduled' ? 'idle' : null,
    allow_downgrade: false,
    target: null,
    before: null,
    restarts: 0,
  },
})

/** What steers the machine. */
const steering = (context: UpdateContext) => [
  context.ask !== null,
  context.upload?.id,
  context.offered?.version,
  context.when,
  context.device.robotEnabled,
  context.device.busyWith.length,
  context.unavailable,
  context.missing.length,
]

const samples = [
  ...RESTORED.map((state) => ({ type: 'xstate.done.actor.restore', output: restoredTo(state) })),
  { type: 'xstate.error.actor.restore', error: fault },
  ...['begin', 'resume'].flatMap((name) => [
    { type: `xstate.done.actor.${name}`, output: upload },
    { type: `xstate.error.actor.${name}`, error: fault },
  ]),
  { type: 'xstate.done.actor.verify', output: version('2.0.0') },
  { type: 'xstate.done.actor.install', output: { name: '2.0.0', slots } },
  { type: 'xstate.done.actor.activate', output: { streams: ['front'], parts: ['http'], robot_link: true } },
  ...['keep', 'complete'].flatMap((name) => [
    { type: `xstate.done.actor.${name}` },
    { type: `xstate.error.actor.${name}`, error: fault },
  ]),
  ...['undo', 'commit'].flatMap((name) => [
    { type: `xstate.done.actor.${name}`, output: slots },
    { type: `xstate.error.actor.${name}`, error: fault },
  ]),
  ...['verify', 'install', 'activate', 'restart'].map((name) => ({ type: `xstate.error.actor.${name}`, error: fault })),
  { type: 'update.receive', ask: 1, announced: { bytes: 3, resumable: true } },
  { type: 'update.resume', ask: 2, id: 'u' },
  { type: 'update.resume', ask: 3, id: 'other' },
  { type: 'update.received', ask: 4, id: 'u' },
  { type: 'update.received', ask: 5, id: 'other' },
  { type: 'update.arriving', id: 'u' },
  { type: 'update.arriving', id: 'other' },
  { type: 'update.paused', id: 'u' },
  { type: 'update.paused', id: 'other' },
  { type: 'update.receive_failed', id: 'u', fault },
  { type: 'update.receive_failed', id: 'other', fault },
  { type: 'update.apply', ask: 6, when: 'now', allowDowngrade: false },
  { type: 'update.apply', ask: 7, when: 'idle', allowDowngrade: true },
  { type: 'update.cancel', ask: 8 },
  { type: 'device.seen', robotEnabled: true, busyWith: [] },
  { type: 'device.seen', robotEnabled: false, busyWith: ['front is being recorded'] },
  { type: 'device.seen', robotEnabled: false, busyWith: [] },
  { type: 'health.seen', missing: [] },
  { type: 'health.seen', missing: ['the stream front does not run'] },
]

test('on all paths each order is answered exactly once, and nothing is chosen while the robot is enabled', () => {
  const walked = walk(updateMachine, {
    input: { unavailable: null },
    samples,
    sameAs: ({ context }) => steering(context),
    check: ({ before, event, snapshot, actions }) => {
      const owed = before?.context.ask ?? null
      const asked = 'ask' in event ? (event.ask as number) : null
      const answered = repliesIn(actions).map(({ ask }) => ask)
      const owedNow = snapshot.context.ask as number | null
      assert.equal(new Set(answered).size, answered.length)
      const isTold = owed === asked // the same order again, which nobody could tell apart
      for (const ask of isTold ? [] : [owed, asked].filter((each) => each !== null))
        assert.equal(answered.includes(ask), owedNow !== ask, `order ${ask} of ${event.type}`)
      if (snapshot.matches({ applying: 'activating' }) && !before?.matches({ applying: 'activating' }))
        assert.equal(snapshot.context.device.robotEnabled, false)
      assert.equal(snapshot.status, 'active')
    },
  })

  assert.ok(walked.reached.has('trial.going-back'))
})
