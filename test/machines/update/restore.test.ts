// Where an update stands after a restart or a power cut.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KnownSlots } from '../../../machines/update/known-slots.ts'
import type { UpdateRecord } from '../../../machines/update/record.ts'
import { restore } from '../../../machines/update/restore.ts'
import type { UpdateStateName } from '../../../machines/update/update-state.ts'

const known = (name: string) => ({ name, version: name, built_at_ms: null })
const slots: KnownSlots = {
  running: known('old'),
  other: null,
  isTrial: false,
  chosen: 'old',
  failed: null,
  floor: null,
}
const record = (state: UpdateStateName, more: Partial<UpdateRecord> = {}): UpdateRecord => ({
  format: 1,
  state,
  since_ms: 1,
  offered: null,
  when: null,
  allow_downgrade: false,
  target: null,
  before: null,
  restarts: 0,
  failure: null,
  seen_failed: null,
  ...more,
})
const upload = { id: 'u', bytes: 10, resumable: true, offset: 4 }
const failed = { version: 'new', reason: 'it crashed', at_ms: 1, exits: [], left_behind: [] }
const before = { streams: ['front'], parts: ['http'], robot_link: true }

test('a device without a record is idle, or tries out what is on trial', () => {
  const idle = restore({ record: null, slots, kept: null })
  const trial = restore({ record: null, slots: { ...slots, isTrial: true }, kept: null })

  assert.deepEqual([idle.state, trial.state, trial.record.before], ['idle', 'trial', null])
})

test('an upload that can be gone on with is, and any other says that it was interrupted', () => {
  const on = restore({ record: record('receiving'), slots, kept: upload })
  const lost = restore({ record: record('receiving'), slots, kept: { ...upload, resumable: false } })

  assert.deepEqual([on.state, on.upload?.offset], ['receiving', 4])
  assert.match(on.interrupted ?? '', /interrupted by a restart; it can be gone on with/)
  assert.deepEqual([lost.state, lost.failure?.code, lost.failure?.state], ['failed', 'update.interrupted', 'receiving'])
})

test('an upload of which all bytes are here is completed, however it came', () => {
  for (const resumable of [true, false]) {
    const whole = { ...upload, resumable, offset: upload.bytes }
    assert.deepEqual(restore({ record: record('receiving'), slots, kept: whole }).state, 'completing')
  }
})

test('what was ready or ordered is that again, and a check begins again', () => {
  const offered = known('new')
  const of = (state: UpdateStateName) =>
    restore({ record: record(state, { offered, when: 'idle', allow_downgrade: true }), slots, kept: upload })
  const gone = restore({ record: record('ready', { offered }), slots, kept: null })

  assert.deepEqual(
    [of('verifying').state, of('ready').state, of('scheduled').state],
    ['verifying', 'ready', 'scheduled'],
  )
  assert.deepEqual([of('scheduled').record.when, of('scheduled').record.allow_downgrade], ['idle', true])
  assert.equal(gone.failure?.code, 'update.interrupted')
})

test('a version that was being written is to be ordered again, and nothing has changed', () => {
  const written = { offered: known('new'), target: 'new' }

  for (const state of ['applying', 'restarting'] as const) {
    const { state: next, interrupted, record: kept } = restore({ record: record(state, written), slots, kept: upload })
    assert.deepEqual([next, kept.target, kept.offered?.name], ['ready', null, 'new'], state)
    assert.match(interrupted ?? '', /nothing of the version that runs was changed/)
  }
})

test('a new version that runs is on trial with what ran before it, and is kept when it was kept', () => {
  const running = { ...slots, running: known('new'), chosen: 'new' }
  const target = record('restarting', { target: 'new', before })

  const trial = restore({ record: target, slots: { ...running, isTrial: true }, kept: upload })
  const again = restore({
    record: record('trial', { target: 'new', before }),
    slots: { ...running, isTrial: true },
    kept: null,
  })
  const kept = restore({ record: record('trial', { target: 'new', before }), slots: running, kept: null })

  assert.deepEqual([trial.state, trial.record.before, trial.interrupted], ['trial', before, null])
  assert.match(again.interrupted ?? '', /restarted in the middle of its trial/)
  assert.deepEqual([kept.state, kept.failure], ['committed', null])
})

test('a version that was given up is told of once, also by a clock that says the same time again', () => {
  const gone = { ...slots, failed }

  const told = restore({ record: record('trial', { target: 'new' }), slots: gone, kept: null })
  const seen = restore({ record: record('idle', { seen_failed: failed }), slots: gone, kept: null })
  const again = restore({
    record: record('restarting', { target: 'new', seen_failed: failed }),
    slots: gone,
    kept: null,
  })

  assert.deepEqual([told.state, seen.state, again.state], ['rolled-back', 'idle', 'rolled-back'])
})

test('a restart that did not come about is ordered twice, and then undone', () => {
  const chosen = { ...slots, chosen: 'new' }
  const states = [0, 1, 2].map(
    (restarts) =>
      restore({ record: record('restarting', { target: 'new', restarts }), slots: chosen, kept: null }).state,
  )

  assert.deepEqual(states, ['restarting', 'restarting', 'undoing'])
})
